import { sql } from 'drizzle-orm'
import type { Db } from '@svc/kit'
import type { Status } from '../../../shared/domain/budget-state.ts'
import { budget, budgetCount } from '../schema.ts'
import { isOver } from '../state-now.ts'

/** The number of a clinic's budgets in each state, by the database's clock. States without budgets may be missing. */
export async function countByStatus(db: Db, clinic_id: string): Promise<Map<Status, number>> {
  const rows = await db.execute<{ status: Status, n: number }>(sql`
    with over as (select count(*)::int as n from ${budget} where ${isOver(clinic_id)})
    select status, sum(n)::int as n from (
      select status, n from ${budgetCount} where clinic_id = ${clinic_id}
      union all select 'sent', -n from over union all select 'expired', n from over) as moved
    group by status`)
  return new Map(rows.map(row => [row.status, row.n]))
}

/**
 * Folds the rows that the triggers have appended into one per state. Concurrent runs are safe: each folds only the rows
 * that it has deleted itself.
 */
export async function foldCounts(db: Db): Promise<void> {
  await db.execute(sql`
    with folded as (
      delete from budget_count using (select clinic_id, status from budget_count group by clinic_id, status having count(*) > 1 or sum(n) = 0) as moved
      where budget_count.clinic_id = moved.clinic_id and budget_count.status = moved.status returning budget_count.clinic_id, budget_count.status, n)
    insert into budget_count (clinic_id, status, n)
    select clinic_id, status, sum(n) from folded group by clinic_id, status having sum(n) <> 0`)
}
