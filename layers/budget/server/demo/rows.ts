import { and, asc, desc, eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '@svc/kit'
import type { BudgetRow } from '../db/budgets.ts'
import type { LinkRow } from '../db/links.ts'
import { budget, budgetLink } from '../db/schema.ts'

/** All versions with this internal note, first version first. */
export async function findByNote(db: Db, at: { clinic_id: string, note: string }): Promise<BudgetRow[]> {
  return await db
    .select()
    .from(budget)
    .where(and(eq(budget.clinic_id, at.clinic_id), eq(budget.internal_notes, at.note)))
    .orderBy(asc(budget.created_at), asc(budget.version))
}

/** Sent, not expired and not locked; newest first. */
export async function findOpenLinks(db: Db, at: { clinic_id: string, note: string }): Promise<LinkRow[]> {
  const rows = await db
    .select({ link: budgetLink })
    .from(budget)
    .innerJoin(budgetLink, eq(budgetLink.budget_id, budget.id))
    .where(
      and(
        eq(budget.clinic_id, at.clinic_id),
        eq(budget.internal_notes, at.note),
        eq(budget.status, 'sent'),
        sql`${budget.expires_at} > now() + interval '1 day'`,
        sql`(${budgetLink.locked_until} is null or ${budgetLink.locked_until} <= now())`
      )
    )
    .orderBy(desc(budget.created_at))
  return rows.map(row => row.link)
}

/** Only a draft's creation can be moved. */
export async function moveCreation(db: Db, id: string, days_ago: number): Promise<void> {
  await db
    .update(budget)
    .set({ created_at: sql`now() - make_interval(days => ${days_ago})` })
    .where(and(eq(budget.id, id), eq(budget.status, 'draft')))
}

/** Marks a draft as sent on the day after its creation. Later the database does not allow this. */
export async function markSentBefore(
  tx: Tx,
  id: string,
  fixed: Pick<
    BudgetRow,
    'valid_until' | 'expires_at' | 'patient_first_name' | 'patient_last_name' | 'clinic_name' | 'sent_seal'
  >
): Promise<void> {
  await tx
    .update(budget)
    .set({ status: 'sent', sent_at: sql`least(${budget.created_at} + interval '1 day', now())`, ...fixed })
    .where(and(eq(budget.id, id), eq(budget.status, 'draft')))
}
