import { eq, sql } from 'drizzle-orm'
import type { Db } from '@svc/kit'
import type { Status } from '../domain/budget-state.ts'
import { budgetCount } from './schema.ts'

/** How many budgets of a clinic are in each state; states without any may be missing. */
export async function countByStatus(db: Db, clinic_id: string): Promise<Map<Status, number>> {
  const rows = await db.select({ status: budgetCount.status, n: sql<number>`sum(${budgetCount.n})::int` }).from(budgetCount)
    .where(eq(budgetCount.clinic_id, clinic_id)).groupBy(budgetCount.status)
  return new Map(rows.map(row => [row.status, row.n]))
}

/** Sums up what the triggers appended. Two at once are fine: each sums only the rows that it removed itself. */
export async function foldCounts(db: Db): Promise<void> {
  await db.execute(sql`
    with folded as (delete from budget_count returning clinic_id, status, n)
    insert into budget_count (clinic_id, status, n)
    select clinic_id, status, sum(n) from folded group by clinic_id, status having sum(n) <> 0`)
}
