import type { ImportKind, ImportSettings } from '@svc/kit'
import type { Host } from '../host.ts'
import { createSeenNames } from './seen-names.ts'
import { cellsOf } from './file/columns.ts'
import { getKind } from './kinds.ts'
import { atHand, type Run } from './process-batch.ts'
import { readRecords, type FileRow } from './file/read-rows.ts'
import { formOf, openHead, type ImportRecord } from './store.ts'
import { readFile } from './stored-file.ts'

/** Prepares what the rows of a stored file are processed with. */
export async function beginRun(host: Host, record: ImportRecord): Promise<Run> {
  const { columns } = openHead(host.secrets, record)
  const rows = () => readRecords(readFile(host.db, host.secrets, record.id), formOf(record))
  return await prepareRun(host, rows, {
    module: record.module,
    kind: getKind(host.registry, record.module, record.kind),
    id: record.id,
    clinic_id: record.clinic_id,
    user_id: record.user_id,
    settings: record.settings,
    options: record.options,
    columns,
    places: record.mapping
  })
}

interface RunInput extends Pick<Run, 'clinic_id' | 'user_id' | 'settings' | 'options' | 'columns' | 'places'> {
  module: string
  kind: ImportKind
  /** The import's id: hashes of equal names differ between two files. */
  id: string
}

/**
 * `rows`: the rows of the file, from the first. A kind that examines whole columns sees them all before it reads a row.
 */
export async function prepareRun(host: Host, rows: () => AsyncIterable<FileRow>, wanted: RunInput): Promise<Run> {
  const { module, kind, id, ...rest } = wanted
  const { ctx } = host.registry.get(module)!
  const { clinic_id, settings, options } = rest
  const given: unknown = await kind.begin?.(ctx, { clinic_id, settings, options })
  const run = { ...rest, kind, ctx, given, seen: createSeenNames(host.secrets.mac('import-names', id)) }
  if (kind.survey)
    for await (const { cells } of rows()) kind.survey(cellsOf(cells, rest.places, kind.columns), atHand(run))
  return run
}

/** The clinic's settings, which decide how cells are read. */
export async function settingsOf(host: Host, clinic_id: string): Promise<ImportSettings> {
  const { locale, country, currency, prices_include_tax } = await host.clinics.get(clinic_id)
  return { locale, country, currency, prices_include_tax }
}
