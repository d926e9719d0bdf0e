import { sql } from 'drizzle-orm'
import type { AnyTx, Tx } from '@svc/kit'
import { rowsOf } from '../db/rows.ts'

/**
 * Until the transaction ends, no other one can add a clinic; reading is possible. Returns whether there is a clinic.
 */
export async function lockClinics(tx: Tx): Promise<boolean> {
  await tx.execute(sql`lock table core_clinic in share row exclusive mode`)
  return await hasClinic(tx)
}

export async function hasClinic(db: AnyTx): Promise<boolean> {
  const [row] = await rowsOf<{ found: boolean }>(db, sql`select exists (select from core_clinic) as found`)
  return row!.found
}
