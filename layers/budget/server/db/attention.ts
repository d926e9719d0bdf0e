import { and, eq, inArray, isNotNull, ne, or, sql, type SQL } from 'drizzle-orm'
import type { Db, Tx } from '@svc/kit'
import type { Attention } from '../../shared/domain/attention.ts'
import type { BudgetKey } from './budgets.ts'
import type { LinkRow } from './links.ts'
import { budget, budgetAccessLog, budgetLink, budgetMessage } from './schema.ts'

/** Budgets whose link is locked at the moment. */
export const lockedIds = (clinic_id: string): SQL =>
  sql`(select ${budgetLink.budget_id} from ${budgetLink} where ${budgetLink.clinic_id} = ${clinic_id} and ${budgetLink.locked_until} > now())`

const linksOf = (clinic_id: string): SQL =>
  sql`select ${budgetLink.budget_id} from ${budgetLink} where ${budgetLink.clinic_id} = ${clinic_id}`

/**
 * The same condition as in the partial index: delivered, but further messages wait until the patient's address is
 * confirmed. Only for open budgets, because a decided budget needs no message.
 */
const isHeld = sql`${budgetLink.delivery_error} = 'address_changed'`

const hasLeft = inArray(budgetLink.delivery, ['sent', 'delivered'])

/** The same condition as in the partial index. */
const isOpenQuestion = sql`${budgetMessage.from} = 'patient' and ${budgetMessage.read_at} is null`

/** Whether the patient has asked a question on this version that no one has answered or read. */
export const hasOpenQuestion = (clinic_id: string): SQL<boolean> =>
  sql`exists (select from ${budgetMessage} where ${budgetMessage.clinic_id} = ${clinic_id} and ${budgetMessage.budget_id} = ${budget.id} and ${isOpenQuestion})`

/** Each kind has a partial index with hardly any other rows. */
export function asksFor(clinic_id: string, kind: Attention): SQL | undefined {
  switch (kind) {
    case 'expiring':
      return sql`${budget.status} = 'sent' and ${budget.expires_at} > now() and ${budget.expires_at} <= now() + interval '7 days'`
    case 'locked':
      return sql`${budget.id} in ${lockedIds(clinic_id)}`
    case 'undelivered':
      return and(
        // A budget that was cancelled, replaced or has expired needs no message.
        inArray(budget.status, ['sent', 'accepted', 'rejected']),
        sql`(${budget.status} <> 'sent' or ${budget.expires_at} > now())`,
        sql`${budget.id} in (${linksOf(clinic_id)} and ${budgetLink.delivery} = 'failed' union all ${linksOf(clinic_id)} and ${isHeld})`,
        // Checked only for the few rows found, so that the two indexes can still find them.
        sql`(${budget.status} = 'sent' or exists (
          select from ${budgetLink} where ${budgetLink.budget_id} = ${budget.id} and ${budgetLink.delivery} = 'failed'))`
      )
    case 'question':
      return sql`${budget.id} in (select ${budgetMessage.budget_id} from ${budgetMessage} where ${budgetMessage.clinic_id} = ${clinic_id} and ${isOpenQuestion})`
    case 'withdrawn_invoiced':
      return sql`${budget.withdrawn_invoiced}`
    case 'withdrawn_paid':
      // A cancelled version that was replaced needs nothing: the advance serves the new version.
      return sql`${budget.withdrawn_paid} and ${budget.status} in ('accepted', 'cancelled')`
    // Instead of `exists`, for which PostgreSQL might read the whole log into a hash.
    case 'pdf_pending':
      return sql`${budget.signed_pdf_status} = 'pending' and (${budget.decided_at} < now() - interval '1 minute' or (
      select true from ${budgetAccessLog} where ${budgetAccessLog.budget_id} = ${budget.id} and ${budgetAccessLog.action} = 'signed_pdf_error' limit 1))`
  }
}

/** Open budgets whose only obstacle is that the patient's address is not confirmed. */
export async function listHeld(db: Db, clinic_id: string): Promise<{ link: LinkRow, patient_id: string }[]> {
  return await db
    .select({ link: budgetLink, patient_id: budget.patient_id })
    .from(budgetLink)
    .innerJoin(budget, eq(budget.id, budgetLink.budget_id))
    .where(and(
      eq(budgetLink.clinic_id, clinic_id), isHeld, hasLeft,
      eq(budget.status, 'sent'), sql`${budget.expires_at} > now()`
    ))
}

/** Does nothing if the link was sent again meanwhile. */
export async function clearHeld(db: Db, budget_id: string): Promise<void> {
  await db
    .update(budgetLink)
    .set({ delivery_error: null })
    .where(and(eq(budgetLink.budget_id, budget_id), isHeld, hasLeft))
}

/** Does nothing for a budget whose acceptance was not withdrawn. */
export async function markWithdrawnInvoiced(db: Db, { clinic_id, id }: BudgetKey, is_invoiced: boolean): Promise<void> {
  await db
    .update(budget)
    .set({ withdrawn_invoiced: is_invoiced })
    .where(and(eq(budget.clinic_id, clinic_id), eq(budget.id, id), isNotNull(budget.withdrawn_at)))
}

/**
 * Does nothing for a version that was neither withdrawn nor cancelled after it was sent. An advance belongs to a
 * number: a draft of its next version can be cancelled while the version that was sent is still open.
 */
export async function markWithdrawnPaid(
  tx: Tx,
  { clinic_id, number }: { clinic_id: string, number: string },
  is_paid: boolean
): Promise<void> {
  await tx
    .update(budget)
    .set({ withdrawn_paid: is_paid })
    .where(and(
      eq(budget.clinic_id, clinic_id),
      eq(budget.number, number),
      ne(budget.withdrawn_paid, is_paid),
      or(isNotNull(budget.withdrawn_at), and(eq(budget.status, 'cancelled'), isNotNull(budget.sent_at)))
    ))
}
