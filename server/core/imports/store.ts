import { and, eq, sql } from 'drizzle-orm'
import { isId, problem, type Db, type Tx } from '@svc/kit'
import { coreImport } from '../db/schema.ts'
import type { Secrets } from '../secrets.ts'
import type { Form } from './file/read-rows.ts'

export type ImportRecord = typeof coreImport.$inferSelect
export interface Head {
  file_name: string
  columns: string[]
  preview: string[][]
  samples?: string[]
  first_lines?: { line: number, text: string }[]
}
export interface At { clinic_id: string, module: string, kind: string, id: string }

const PURPOSE = 'import-head'

export const sealHead = (secrets: Secrets, head: Head): string => secrets.seal(PURPOSE, JSON.stringify(head))
export const openHead = (secrets: Secrets, { head }: ImportRecord): Head =>
  JSON.parse(Buffer.from(secrets.open(PURPOSE, head)).toString()) as Head

export const formOf = ({ encoding, delimiter, form }: ImportRecord): Form =>
  ({ ...form, encoding, delimiter }) as Form

/** Throws `not_found`, also for an import of another clinic or kind. */
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

/** Locks the import. Throws `wrong_state` once it has been run. */
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
export const isOpen = ({ state }: ImportRecord) => state === 'uploaded' || state === 'checked'
