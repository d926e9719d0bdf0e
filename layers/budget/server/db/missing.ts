import { sql } from 'drizzle-orm'
import type { Db } from '@svc/kit'
import type { BudgetKey } from './budgets.ts'

/** The keys that no budget has. They are sent as one value, because the number of parameters is limited. */
export async function findMissing(db: Db, keys: BudgetKey[]): Promise<BudgetKey[]> {
  if (keys.length === 0) return []
  const asked = JSON.stringify(keys.map(({ clinic_id, id }) => ({ clinic_id, id })))
  return await db.execute<BudgetKey & Record<string, unknown>>(sql`
    select asked.clinic_id, asked.id from jsonb_to_recordset(${asked}::text::jsonb) as asked (clinic_id uuid, id uuid)
    where not exists (select from budget where budget.id = asked.id and budget.clinic_id = asked.clinic_id)`)
}
