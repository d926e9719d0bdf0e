import { sql } from 'drizzle-orm'
import type { Db } from '@svc/kit'
import { invoice } from './schema.ts'

/** The budgets of these that have an invoice. They go as one value: a statement takes only so many parameters. */
export async function invoicedOf(db: Db, budgets: { clinic_id: string, id: string }[]): Promise<Set<string>> {
  const asked = JSON.stringify(budgets.map(({ clinic_id, id }) => ({ clinic_id, id })))
  const rows = await db.execute<{ id: string }>(sql`
    select id from jsonb_to_recordset(${asked}::text::jsonb) as asked (clinic_id uuid, id uuid)
    where (select true from ${invoice} where ${invoice.clinic_id} = asked.clinic_id and ${invoice.budget_id} = asked.id)`)
  return new Set(rows.map(({ id }) => id))
}
