import { sql } from 'drizzle-orm'
import type { Db, Tx } from '@svc/kit'
import { rowsOf } from '../db/rows.ts'
import { coreAuditHead, coreClinic } from '../db/schema.ts'
import { headSeal, INSTANCE, type Macs } from './chain.ts'

/** The sealed end of a log without rows. In the transaction that makes the clinic, and at no other time. */
export async function startChain(tx: Tx | Db, secrets: Macs, clinic_id: string): Promise<void> {
  await tx
    .insert(coreAuditHead)
    .values({ clinic_id, count: 0, hash: null, seal: headSeal(secrets, clinic_id, 0, null) })
}

/** Runs in the transaction of the migration that adds the tables, once: the instance's, and those of clinics before. */
export async function startEarlierChains(db: Db, secrets: Macs): Promise<void> {
  await startChain(db, secrets, INSTANCE)
  const clinics = await rowsOf<{ id: string }>(db, sql`select id::text from ${coreClinic}`)
  for (const { id } of clinics) await startChain(db, secrets, id)
}
