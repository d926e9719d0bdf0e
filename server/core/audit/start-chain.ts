import { sql } from 'drizzle-orm'
import type { Db, Tx } from '@svc/kit'
import { rowsOf } from '../db/rows.ts'
import { coreAuditHead, coreClinic } from '../db/schema.ts'
import { headSeal, INSTANCE, type Macs } from './chain.ts'

/** Adds the sealed end of an empty log. Only in the transaction that creates the clinic. */
export async function startChain(tx: Tx | Db, secrets: Macs, clinic_id: string): Promise<void> {
  await tx
    .insert(coreAuditHead)
    .values({ clinic_id, count: 0, hash: null, seal: headSeal(secrets, clinic_id, 0, null) })
}

/**
 * Runs once, in the transaction of the migration that adds the tables: starts the chains of the instance and of
 * existing clinics.
 */
export async function startEarlierChains(db: Db, secrets: Macs): Promise<void> {
  await startChain(db, secrets, INSTANCE)
  const clinics = await rowsOf<{ id: string }>(db, sql`select id::text from ${coreClinic}`)
  for (const { id } of clinics) await startChain(db, secrets, id)
}
