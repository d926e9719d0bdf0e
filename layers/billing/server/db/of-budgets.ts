import { inArray } from 'drizzle-orm'
import type { Db } from '@svc/kit'
import { invoice } from './schema.ts'

/** The budgets of these that have an invoice. */
export async function invoicedOf(db: Db, budget_ids: string[]): Promise<Set<string>> {
  if (budget_ids.length === 0) return new Set()
  const rows = await db.select({ id: invoice.budget_id }).from(invoice).where(inArray(invoice.budget_id, budget_ids))
  return new Set(rows.map(row => row.id))
}
