import { sql } from 'drizzle-orm'
import type { Db } from '@svc/kit'
import { invoice } from './schema.ts'

/** More than a statement takes as parameters may be asked for. */
const BATCH = 1000

/** The budgets of these that have an invoice. */
export async function invoicedOf(db: Db, budgets: { clinic_id: string, id: string }[]): Promise<Set<string>> {
  const found = new Set<string>()
  for (let from = 0; from < budgets.length; from += BATCH) {
    const asked = JSON.stringify(budgets.slice(from, from + BATCH).map(({ clinic_id, id }) => ({ clinic_id, id })))
    const rows = await db.execute<{ id: string }>(sql`
      select id from jsonb_to_recordset(${asked}::text::jsonb) as asked (clinic_id uuid, id uuid)
      where (select true from ${invoice} where ${invoice.clinic_id} = asked.clinic_id and ${invoice.budget_id} = asked.id)`)
    for (const { id } of rows) found.add(id)
  }
  return found
}
