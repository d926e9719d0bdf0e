import { and, asc, eq, gt, inArray, isNotNull, isNull, ne, or, sql, type SQL } from 'drizzle-orm'
import type { Db, Tx } from '@svc/kit'
import { budgetColumns, type BudgetRow } from './budgets.ts'
import { budget, budgetLink, budgetReminder } from './schema.ts'

/** One of a clinic's reminders. */
export interface ReminderRule {
  clinic_id: string
  time_zone: string
  /** Days after sending, by the zone's calendar: at the same time of day. */
  days: number
  /** Reminders that were due before are never sent. */
  since: Date
}

/** After an outage, reminders are still sent up to this many days late. */
const LATEST_DAYS = 3
const MAX_REMINDERS = 3
const BATCH = 100

/** Versions that are due, in batches by id. Only under the lock is the result certain (`lockDue`). */
export async function listDue(
  db: Db,
  rule: ReminderRule,
  after: string
): Promise<{ id: string, patient_id: string }[]> {
  return await db
    .select({ id: budget.id, patient_id: budget.patient_id })
    .from(budget)
    .where(and(gt(budget.id, after), isDue(rule)))
    .orderBy(asc(budget.id))
    .limit(BATCH)
}

/**
 * Null if it is no longer due, or if another instance is sending it. The condition is checked again under the lock.
 * `offset 0` makes PostgreSQL read only this row, because it might estimate an index scan of open versions as equally
 * cheap.
 */
export async function lockDue(tx: Tx, rule: ReminderRule, id: string): Promise<BudgetRow | null> {
  const [row] = await tx.select(budgetColumns).from(budget).where(eq(budget.id, id)).for('update', { skipLocked: true })
  if (!row) return null
  const due = await tx
    .select({ id: sql<string>`${budget.id}` })
    .from(sql`(select * from ${budget} where ${budget.id} = ${id} offset 0) as "budget"`)
    .where(isDue(rule))
  return due.length > 0 ? row : null
}

/** False if another instance was first. */
export async function insertReminder(tx: Tx, row: typeof budgetReminder.$inferInsert): Promise<boolean> {
  const rows = await tx
    .insert(budgetReminder)
    .values(row)
    .onConflictDoNothing()
    .returning({ days: budgetReminder.days })
  return rows.length > 0
}

/** The message was not sent, so the reminder is due again. */
export async function forgetReminder(
  tx: Tx,
  { budget_id, message_id }: { budget_id: string, message_id: string }
): Promise<void> {
  await tx
    .delete(budgetReminder)
    .where(and(eq(budgetReminder.budget_id, budget_id), eq(budgetReminder.message_id, message_id)))
}

/** Bounds only `sent_at`, so that the index of open versions is scanned for a few days only. */
function isDue({ clinic_id, time_zone, days, since }: ReminderRule): SQL | undefined {
  const now = sql`now()`
  const sentBy = (at: SQL, ago: number) =>
    sql`((${at} at time zone ${time_zone}) - make_interval(days => ${ago})) at time zone ${time_zone}`
  const due = sql`((${budget.sent_at} at time zone ${time_zone}) + make_interval(days => ${days})) at time zone ${time_zone}`
  return and(
    eq(budget.clinic_id, clinic_id),
    eq(budget.status, 'sent'),
    sql`${budget.sent_at} <= ${sentBy(now, days)}`,
    sql`${budget.sent_at} >= ${sentBy(now, days + LATEST_DAYS)}`,
    sql`${budget.sent_at} >= ${sentBy(sql`${since.toISOString()}::timestamptz`, days)}`,
    sql`${budget.expires_at} > greatest(now(), ${due})`,
    isReachable(sentBy(now, 1)),
    sql`not exists (select from ${budgetReminder} where ${budgetReminder.budget_id} = ${budget.id} and ${budgetReminder.days} >= ${days})`,
    sql`(select count(*) from ${budgetReminder} where ${budgetReminder.budget_id} = ${budget.id}) < ${MAX_REMINDERS}`
  )
}

/**
 * The last message was sent by a channel at least a day ago (staff may have sent the link again since), and the link
 * can be opened with a code.
 */
function isReachable(yesterday: SQL): SQL {
  const link = and(
    eq(budgetLink.budget_id, budget.id),
    ne(budgetLink.channel, 'manual'),
    inArray(budgetLink.delivery, ['sent', 'delivered']),
    sql`${budgetLink.delivered_via} is distinct from 'file'`,
    sql`${budgetLink.delivered_at} <= ${yesterday}`,
    isNotNull(budgetLink.code_hash),
    or(isNull(budgetLink.locked_until), sql`${budgetLink.locked_until} <= now()`)
  )
  return sql`exists (select from ${budgetLink} where ${link})`
}
