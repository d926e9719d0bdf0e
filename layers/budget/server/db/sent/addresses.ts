import { and, desc, eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '@svc/kit'
import { budgetLinkAddress } from '../schema.ts'

export type AddressRow = typeof budgetLinkAddress.$inferSelect

/** Where a version's links went, the latest first. */
export async function listAddresses(db: Db | Tx, budget_id: string, channel: string): Promise<AddressRow[]> {
  return await db
    .select()
    .from(budgetLinkAddress)
    .where(and(eq(budgetLinkAddress.budget_id, budget_id), eq(budgetLinkAddress.channel, channel)))
    .orderBy(desc(budgetLinkAddress.sent_at), desc(budgetLinkAddress.id))
}

export async function insertAddress(db: Db | Tx, row: typeof budgetLinkAddress.$inferInsert): Promise<void> {
  await db.insert(budgetLinkAddress).values(row)
}

/** A link was sent to the address again. */
export async function updateAddress(
  db: Db | Tx,
  id: bigint,
  values: Pick<AddressRow, 'sealed' | 'token_hash'>
): Promise<void> {
  await db.update(budgetLinkAddress).set({ ...values, sent_at: sql`now()` }).where(eq(budgetLinkAddress.id, id))
}

export async function removeAddresses(db: Db | Tx, budget_id: string): Promise<void> {
  await db.delete(budgetLinkAddress).where(eq(budgetLinkAddress.budget_id, budget_id))
}
