import { and, asc, eq, sql } from 'drizzle-orm'
import { isId, problem, type Db, type ImportView, type Tx } from '@svc/kit'
import { coreImport, coreImportBatch } from '../db/schema.ts'
import type { Host } from '../host.ts'
import type { Secrets } from '../secrets.ts'
import { getKind } from './kinds.ts'
import { toMapping } from './columns.ts'
import type { WrongRow } from './process-batch.ts'

export type ImportRecord = typeof coreImport.$inferSelect
export interface Head { file_name: string, columns: string[], preview: string[][] }
export interface At { clinic_id: string, module: string, kind: string, id: string }

const PURPOSE = 'import-head'
const FIRST_WRONG = 50

export const sealHead = (secrets: Secrets, head: Head): string => secrets.seal(PURPOSE, JSON.stringify(head))
export const openHead = (secrets: Secrets, { head }: ImportRecord): Head =>
  JSON.parse(Buffer.from(secrets.open(PURPOSE, head)).toString()) as Head

/** Throws `not_found`, also for another clinic's and one of another kind. */
export async function getImport(db: Db | Tx, { clinic_id, module, kind, id }: At): Promise<ImportRecord> {
  if (!isId(id)) throw problem('not_found')
  const [row] = await db
    .select()
    .from(coreImport)
    .where(
      and(
        eq(coreImport.id, id),
        eq(coreImport.clinic_id, clinic_id),
        eq(coreImport.module, module),
        eq(coreImport.kind, kind)
      )
    )
  if (!row) throw problem('not_found')
  return row
}

/** Locks it. Throws `wrong_state` unless it is as it was uploaded, checked or not. */
export async function lockOpenImport(tx: Tx, at: At): Promise<ImportRecord> {
  await tx.execute(sql`select 1 from core_import where id::text = lower(${at.id}) for update`)
  const row = await getImport(tx, at)
  if (!isOpen(row))
    throw problem('wrong_state', { detail: 'This import has begun already. Upload the file again for another one.' })
  return row
}

export async function changeImport(db: Db | Tx, id: string, change: Partial<ImportRecord>): Promise<void> {
  await db.update(coreImport).set(change).where(eq(coreImport.id, id))
}

/** Not run yet. */
const isOpen = ({ state }: ImportRecord) => state === 'uploaded' || state === 'checked'

/** Of its run once it has begun, else of its check. */
export async function readWrong(db: Db, record: ImportRecord, limit = Infinity): Promise<WrongRow[]> {
  const rows = await db
    .select({ wrong: coreImportBatch.wrong })
    .from(coreImportBatch)
    .where(
      and(
        eq(coreImportBatch.import_id, record.id),
        eq(coreImportBatch.is_check, isOpen(record)),
        sql`${coreImportBatch.wrong} <> '[]'::jsonb`
      )
    )
    .orderBy(asc(coreImportBatch.position))
    .limit(Math.min(limit, 1_000_000))
  return rows.flatMap(({ wrong }) => wrong).slice(0, limit)
}

export async function viewOf(host: Host, record: ImportRecord): Promise<ImportView> {
  const { file_name, columns, preview } = openHead(host.secrets, record)
  return {
    id: record.id,
    file_name,
    columns,
    mapping: toMapping(record.mapping, columns),
    preview,
    fields: getKind(host.registry, record.module, record.kind).columns.map(({ name }) => name),
    state: record.state,
    progress: { done: record.done, total: record.rows },
    counts: record.counts,
    errors: await readWrong(host.db, record, FIRST_WRONG),
    reason: record.reason,
    created_at: record.created_at.toISOString(),
    finished_at: record.finished_at?.toISOString() ?? null
  }
}
