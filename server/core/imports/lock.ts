import { sql } from 'drizzle-orm'
import type { Db, Tx } from '@svc/kit'
import { rowsOf } from '../db/rows.ts'
import type { Host } from '../host.ts'

/** First keys of advisory locks ("imp", "imq"); the second key is the clinic. */
const BATCH_LOCK = 0x696D70
const COMMAND_LOCK = 0x696D71

/** Until the end of `tx`, no other import of the clinic writes, and no erasure runs at the same time. */
export async function lockImports(tx: Db | Tx, clinic_id: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${BATCH_LOCK}, hashtext(${clinic_id}))`)
}

/** While `work` runs, no one's data is erased in the clinic, because the file of `svc import` may name the person. */
export async function whileImporting<T>(host: Host, clinic_id: string, work: () => Promise<T>): Promise<T> {
  const connection = host.database.connect({ max: 1, name: 'import' })
  try {
    await connection`select pg_advisory_lock_shared(${COMMAND_LOCK}, hashtext(${clinic_id}))`
    return await work()
  } finally {
    await connection.end()
  }
}

/** Whether a file is being imported now. If called after `lockImports`, no import can begin until the end of `tx`. */
export async function isImporting(tx: Db | Tx, clinic_id: string): Promise<boolean> {
  const [found] = await rowsOf<{ importing: boolean }>(tx as Db, sql`
    select exists (select 1 from core_import where clinic_id = ${clinic_id}::uuid and state = 'running')
      or not pg_try_advisory_xact_lock(${COMMAND_LOCK}, hashtext(${clinic_id})) as importing`)
  return found!.importing
}
