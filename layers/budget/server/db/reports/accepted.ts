import { and, asc, eq, gte, isNull, lt } from 'drizzle-orm'
import type { Db } from '@svc/kit'
import type { AcceptedBudget, AcceptedIn } from '@svc/kit/modules/budget'
import { budget } from '../schema.ts'

/** Budgets that were accepted in a period and not withdrawn since, by number. */
export async function listAccepted(db: Db, { clinic_id, from, to }: AcceptedIn): Promise<AcceptedBudget[]> {
  const rows = await db
    .select({ id: budget.id, clinic_id: budget.clinic_id, number: budget.number, decided_at: budget.decided_at })
    .from(budget)
    .where(
      and(
        clinic_id ? eq(budget.clinic_id, clinic_id) : undefined,
        eq(budget.status, 'accepted'),
        isNull(budget.withdrawn_at),
        gte(budget.decided_at, from),
        lt(budget.decided_at, to)
      )
    )
    .orderBy(asc(budget.number), asc(budget.id))
  return rows.map(row => ({ ...row, decided_at: row.decided_at! })) // the bounds exclude rows without it
}
