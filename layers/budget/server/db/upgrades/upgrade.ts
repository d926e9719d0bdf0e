import { and, asc, eq, gt, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Db } from '@svc/kit'
import type { NewLogRow } from '../access-log.ts'
import { budgetColumns, type BudgetRow } from '../budgets.ts'
import { sentItems, toSentItems, type SentItem } from '../items.ts'
import { nowMs } from '../links.ts'
import { budget, budgetSignature } from '../schema.ts'

const BATCH = 200

export interface Unsealed {
  budget: BudgetRow
  items: SentItem[]
  /** From its decision. */ content: string | null
  now: Date
}

/** Versions sent by a release that did not seal the content, locked, in batches by id. */
export async function listUnsealed(db: Db, after: string): Promise<Unsealed[]> {
  const rows = await db
    .select({
      budget: budgetColumns,
      items: sentItems.mapWith(toSentItems),
      content: budgetSignature.content,
      ms: nowMs
    })
    .from(budget)
    .leftJoin(budgetSignature, eq(budgetSignature.budget_id, budget.id))
    .where(
      and(
        gt(budget.id, after),
        isNull(budget.sent_seal),
        isNull(budget.erased_at),
        sql`(${budget.sent_at} is not null or ${budget.status} in ('sent', 'accepted', 'rejected', 'expired'))`
      )
    )
    .orderBy(asc(budget.id))
    .limit(BATCH)
    .for('update', { of: budget })
  return rows.map(({ ms, ...row }) => ({ ...row, now: new Date(ms) }))
}

export type SealedRow = Omit<NewLogRow, 'detail'> & {
  detail: unknown
  log_seal: Buffer
  sent_seal: Buffer
  clinic_name: string
}

const hex = (bytes: Uint8Array | null | undefined) => bytes ? Buffer.from(bytes).toString('hex') : null

/** Writes seals, log rows and the heads of their logs in one statement. */
export async function saveSealed(db: Db, rows: SealedRow[]): Promise<void> {
  const given = rows.map(({ at, hash, prev_hash, log_seal, sent_seal, ...row }) => ({
    ...row,
    at: at.toISOString(),
    hash: hex(hash),
    prev_hash: hex(prev_hash),
    log_seal: hex(log_seal),
    sent_seal: hex(sent_seal)
  }))
  await db.execute(sql`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(given)}::text::jsonb) as r(
        id uuid, budget_id uuid, clinic_id uuid, seq int, at timestamptz, action text, success boolean, actor text, detail jsonb,
        prev_hash text, hash text, log_seal text, sent_seal text, clinic_name text)),
    head as (
      update budget set clinic_name = given.clinic_name, sent_seal = decode(given.sent_seal, 'hex'),
        log_count = given.seq, log_hash = decode(given.hash, 'hex'), log_seal = decode(given.log_seal, 'hex')
      from given where budget.id = given.budget_id)
    insert into budget_access_log (id, budget_id, clinic_id, seq, at, action, success, actor, detail, prev_hash, hash)
    select id, budget_id, clinic_id, seq, at, action, success, actor, detail, decode(prev_hash, 'hex'), decode(hash, 'hex') from given`)
}

/** Versions that were never sent and have no log yet, in batches by id. */
export async function listUnsealedLogs(db: Db, after: string): Promise<string[]> {
  const rows = await db.execute<{ id: string }>(sql`
    select id from budget where id > ${after}::uuid and log_count = 0 and log_hash is null and log_seal is null and sent_at is null
      and status in ('draft', 'cancelled', 'superseded') and not exists (select from budget_access_log where budget_id = budget.id)
    order by id limit ${BATCH}::int`)
  return rows.map(({ id }) => id)
}

export async function saveLogSeals(db: Db, rows: { id: string, log_seal: Buffer }[]): Promise<void> {
  const given = JSON.stringify(rows.map(({ id, log_seal }) => ({ id, log_seal: hex(log_seal) })))
  await db.execute(sql`
    update budget set log_seal = decode(given.log_seal, 'hex')
    from jsonb_to_recordset(${given}::text::jsonb) as given (id uuid, log_seal text) where budget.id = given.id`)
}

export async function hasSealedEmptyLogs(db: Db): Promise<boolean> {
  const rows = await db
    .select({ id: budget.id })
    .from(budget)
    .where(and(eq(budget.log_count, 0), isNotNull(budget.log_seal)))
    .limit(1)
  return rows.length > 0
}

/** Reads at worst the whole log once. */
export async function hasSealedContents(db: Db): Promise<boolean> {
  const [row] = await db.execute<{ found: boolean }>(sql`
    select exists (select from budget where sent_seal is not null) or exists (select from budget_number where seal is not null)
      or exists (select from budget_access_log where action = 'link_sent' and detail ? 'sent') as found`)
  return row!.found
}
