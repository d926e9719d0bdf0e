import { asc, gt, sql } from 'drizzle-orm'
import type { Db } from '@svc/kit'
import { invoice } from './schema.ts'

const BATCH = 5000
const FIRST = '00000000-0000-0000-0000-000000000000'

export interface BilledBudget {
  id: string
  clinic_id: string
  number: string | null
  budget_id: string
  budget_number: string
}

/** Every invoice with the id of its budget, in batches by id. */
export async function* listBudgetsOf(db: Db): AsyncGenerator<BilledBudget[]> {
  const { id, clinic_id, number, budget_id, budget_number } = invoice
  for (let after = FIRST; ;) {
    const batch = await db.select({ id, clinic_id, number, budget_id, budget_number })
      .from(invoice).where(gt(id, after)).orderBy(asc(id)).limit(BATCH)
    if (batch.length === 0) return
    yield batch
    after = batch.at(-1)!.id
  }
}

/**
 * Which of these budgets have an invoice. The ids are sent as one value, because the number of parameters is limited.
 */
export async function invoicedOf(db: Db, budgets: { clinic_id: string, id: string }[]): Promise<Set<string>> {
  const asked = JSON.stringify(budgets.map(({ clinic_id, id }) => ({ clinic_id, id })))
  const rows = await db.execute<{ id: string }>(sql`
    select id from jsonb_to_recordset(${asked}::text::jsonb) as asked (clinic_id uuid, id uuid)
    where exists (select from ${invoice} where ${invoice.clinic_id} = asked.clinic_id and ${invoice.budget_id} = asked.id)`)
  return new Set(rows.map(({ id }) => id))
}
