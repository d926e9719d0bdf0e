import { and, asc, count, desc, eq, sql, type SQL } from 'drizzle-orm'
import type { Db, Tx } from '@svc/kit'
import { nowMs } from './links.ts'
import { prepared, WITHOUT_STANDBY, WITH_LOCK_TIMEOUT } from './prepared.ts'
import { budget, budgetAccessLog } from './schema.ts'

export type LogRow = typeof budgetAccessLog.$inferSelect
export type NewLogRow = typeof budgetAccessLog.$inferInsert
/** The end of a budget's chain, as stored in the budget's own row. */
export interface ChainHead { log_count: number, log_hash: Buffer | null, log_seal: Buffer | null }

/** The end of a chain, and when it was read. */
export interface SeenHead extends ChainHead { clinic_id: string, now: Date }

/**
 * Locks the budget's row, so that rows of one chain are appended one after the other. Null if there is no such budget.
 */
export async function lockHead(tx: Tx, budget_id: string): Promise<SeenHead | null> {
  const [row] = await tx
    .select({
      clinic_id: budget.clinic_id,
      log_count: budget.log_count,
      log_hash: budget.log_hash,
      log_seal: budget.log_seal,
      ms: nowMs
    })
    .from(budget)
    .where(eq(budget.id, budget_id))
    .for('update')
  return row ? { ...row, now: new Date(row.ms) } : null
}

/**
 * Writes row and head in one statement. False if the chain has grown since the caller read it, which can't happen under
 * the lock.
 */
export async function appendLogRow(tx: Tx, row: NewLogRow, log_seal: Buffer): Promise<boolean> {
  return (await appendStatement(tx).execute(toValues(row, log_seal))).length > 0
}

/** The same as a single statement, whose commit does not wait for a standby. */
export async function appendLogRowAlone(db: Db, row: NewLogRow, log_seal: Buffer): Promise<boolean> {
  return (await appendAloneStatement(db).execute(toValues(row, log_seal))).length > 0
}

const toValues = ({ at, detail, ...values }: NewLogRow, log_seal: Buffer) =>
  ({ ...values, at: at.toISOString(), detail: JSON.stringify(detail), log_seal })

/** A named prepared statement: planning it each time would cost a download more than all its other statements. */
const appendStatement = prepared(db =>
  append(db).returning({ seq: budgetAccessLog.seq }).prepare('budget_append_log_row'))
const appendAloneStatement = prepared(db =>
  append(db, WITH_LOCK_TIMEOUT).returning({ seq: budgetAccessLog.seq, commit: WITHOUT_STANDBY })
    .prepare('budget_append_log_row_alone'))

function append(db: Db, limit?: SQL) {
  const given = (name: keyof NewLogRow | 'log_seal') => sql.placeholder(name)
  const head = db.$with('head').as(
    db.update(budget)
      .set({
        log_count: sql`${given('seq')}::int`,
        log_hash: sql`${given('hash')}::bytea`,
        log_seal: sql`${given('log_seal')}::bytea`
      })
      .where(and(
        sql`${budget.id} = ${given('budget_id')}::uuid and ${budget.log_count} = ${given('seq')}::int - 1`,
        limit
      ))
      .returning({ id: budget.id })
  )
  // In the order of the table's columns.
  const row = sql`
    select ${given('id')}::uuid, head.id, ${given('clinic_id')}::uuid, ${given('seq')}::int,
           ${given('at')}::timestamptz, ${given('action')}::text, ${given('success')}::boolean,
           ${given('actor')}::text, ${given('user_id')}::uuid, ${given('ip_hash')}::text,
           ${given('user_agent')}::text, ${given('detail')}::text::jsonb, ${given('prev_hash')}::bytea,
           ${given('hash')}::bytea
    from head`
  return db.with(head).insert(budgetAccessLog).select(row)
}

/** The user who sent this version; null if its log no longer goes back so far. */
export async function findSender(db: Db, budget_id: string): Promise<string | null> {
  const [row] = await db.select({ user_id: budgetAccessLog.user_id }).from(budgetAccessLog)
    .where(and(
      eq(budgetAccessLog.budget_id, budget_id), eq(budgetAccessLog.action, 'link_sent'), eq(budgetAccessLog.success, true)
    ))
    .orderBy(asc(budgetAccessLog.seq)).limit(1)
  return row?.user_id ?? null
}

/** The user who set the link's current code; null if its log no longer goes back so far. */
export async function findCodeSetter(tx: Tx, budget_id: string): Promise<string | null> {
  const [row] = await tx.select({ user_id: budgetAccessLog.user_id }).from(budgetAccessLog)
    .where(and(eq(budgetAccessLog.budget_id, budget_id), eq(budgetAccessLog.action, 'code_set')))
    .orderBy(desc(budgetAccessLog.seq)).limit(1)
  return row?.user_id ?? null
}

/** The clinic of its newest row. */
export async function findClinicOfLog(tx: Tx, budget_id: string): Promise<string | null> {
  const [row] = await tx.select({ clinic_id: budgetAccessLog.clinic_id }).from(budgetAccessLog)
    .where(eq(budgetAccessLog.budget_id, budget_id)).orderBy(desc(budgetAccessLog.seq)).limit(1)
  return row?.clinic_id ?? null
}

/** Whether a refusal with `content_tampered` was logged within the last hour. */
export async function hasTamperingRow(
  db: Db | Tx,
  { budget_id, action }: { budget_id: string, action: string }
): Promise<boolean> {
  const rows = await db.select({ seq: budgetAccessLog.seq }).from(budgetAccessLog).where(and(
    eq(budgetAccessLog.budget_id, budget_id), eq(budgetAccessLog.action, action), eq(budgetAccessLog.success, false),
    sql`${budgetAccessLog.detail} ->> 'reason' = 'content_tampered'`,
    sql`${budgetAccessLog.at} > now() - interval '1 hour'`
  )).limit(1)
  return rows.length > 0
}

/** Whether its log shows that it was decided, replaced or cancelled. Only budgets that have ended have a checkpoint. */
export async function hasEnded(tx: Tx, budget_id: string): Promise<boolean> {
  const [row] = await tx.execute<{ ended: boolean }>(sql`
    select exists (select from budget_access_log where budget_id = ${budget_id}::uuid and action in ('accepted', 'rejected', 'superseded', 'cancelled') and success)
      or exists (select from budget_log_checkpoint where budget_id = ${budget_id}::uuid) as ended`)
  return row!.ended
}

/** How many locks of the last day the clinic was notified of. */
export async function countNotifiedLocks(tx: Tx, budget_id: string): Promise<number> {
  const [row] = await tx.select({ n: count() }).from(budgetAccessLog).where(and(
    eq(budgetAccessLog.budget_id, budget_id), eq(budgetAccessLog.action, 'locked'),
    sql`${budgetAccessLog.at} > now() - interval '1 day'`, sql`${budgetAccessLog.detail} @> '{"notified": true}'`
  ))
  return row!.n
}

/** Newest first. */
export async function listLogRows(
  db: Db,
  { budget_id, page, page_size }: { budget_id: string, page: number, page_size: number }
): Promise<{ rows: LogRow[], total: number }> {
  const rows = await db
    .select()
    .from(budgetAccessLog)
    .where(eq(budgetAccessLog.budget_id, budget_id))
    .orderBy(desc(budgetAccessLog.seq))
    .limit(page_size)
    .offset((page - 1) * page_size)
  const [all] = await db
    .select({ total: count() })
    .from(budgetAccessLog)
    .where(eq(budgetAccessLog.budget_id, budget_id))
  return { rows, total: all!.total }
}
