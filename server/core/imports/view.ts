import type { ImportCounts, ImportEncoding, ImportView } from '@svc/kit'
import type { ImportTotals } from '../db/schema.ts'
import type { Host } from '../host.ts'
import { toMapping } from './file/columns.ts'
import { getKind } from './kinds.ts'
import { findFirst } from './remarks.ts'
import { openHead, type ImportRecord } from './store.ts'

export async function viewOf(host: Host, record: ImportRecord): Promise<ImportView> {
  const { file_name, columns, preview, samples = [], first_lines = [] } = openHead(host.secrets, record)
  const { columns: fields } = getKind(host.registry, record.module, record.kind)
  const { header_line = 1, passed_over = [], other = null, other_lines = [] } = record.form
  return {
    id: record.id,
    file_name,
    columns,
    mapping: toMapping(record.mapping, columns),
    options: record.options,
    form: {
      encoding: record.encoding as ImportEncoding, other, other_lines, header_line, passed_over, samples, first_lines
    },
    preview,
    fields: fields.map(({ name }) => name),
    several: Object.fromEntries(
      fields.flatMap(({ name, combine }) => combine === undefined ? [] : [[name, combine] as const])
    ),
    optional: fields.filter(({ optional }) => optional).map(({ name }) => name),
    state: record.state,
    progress: { done: record.done, total: record.rows },
    checks_before: host.import_checks.countBefore(record.id),
    counts: record.counts && toCounts(record.counts),
    ...await findFirst(host, record),
    reason: record.reason,
    created_at: record.created_at.toISOString(),
    finished_at: record.finished_at?.toISOString() ?? null
  }
}

const toCounts = ({ new: added, changed, same, wrong }: ImportTotals): ImportCounts =>
  ({ new: added, changed, same, wrong })
