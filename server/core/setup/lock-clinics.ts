import { sql } from 'drizzle-orm'
import type { AnyTx, Tx } from '@svc/kit'
import { rowsOf } from '../db/rows.ts'

/**
 * Until the transaction ends no other one adds a clinic, by whatever way; reading goes on. Returns whether there is
 * one.
 */
export async function lockClinics(tx: Tx): Promise<boolean> {
  await tx.execute(sql`lock table core_clinic in share row exclusive mode`)
  return await hasClinic(tx)
}

export async function hasClinic(db: AnyTx): Promise<boolean> {
  const [row] = await rowsOf<{ found: boolean }>(db, sql`select exists (select from core_clinic) as found`)
  return row!.found
}
