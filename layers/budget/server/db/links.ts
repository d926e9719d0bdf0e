import { and, count, eq, gt, inArray, isNull, or, sql, type SQL } from 'drizzle-orm'
import type { Db, Tx } from '@svc/kit'
import { FAILURES_PER_LOCK, LOCK_SECONDS } from '../../shared/domain/lockout.ts'
import { shownColumns, type ShownBudget } from './budgets.ts'
import { sentItems, toSentItems, type SentItem } from './items.ts'
import { prepared, WITHOUT_STANDBY, WITH_LOCK_TIMEOUT } from './prepared.ts'
import { budget, budgetLink, budgetSession, budgetSignature } from './schema.ts'
import { isLive } from './sessions.ts'

export type LinkRow = typeof budgetLink.$inferSelect

/** `read_at`: when the session first read the budget. */
export interface OpenSession {
  session_hash: Buffer
  budget_id: string
  clinic_id: string
  created_at: Date
  last_used_at: Date
  read_at: Date | null
  /** The member of staff who handed the budget over in the clinic; null for a session opened with a code. */
  handed_by: string | null
  seal: Buffer | null
}

/** A link, its budget, its decision, and the session of the cookie, if there is one. `now` is the database's time. */
export interface FoundLink {
  link: Pick<LinkRow, keyof typeof linkColumns>
  budget: ShownBudget
  decision: { signer_name: string, reason: string | null, content_digest: string } | null
  session: OpenSession | null
  now: Date
}

/** The transaction's instant in milliseconds, which every driver setting parses the same. */
export const nowMs = sql<number>`floor(extract(epoch from now()) * 1000)::float8`

/** The hashes of a token, and of the cookie if there is one, from `tokenLookUps`. */
export interface LinkHashes { token_hashes: Buffer[], session_hashes?: Buffer[] }

/** A hash that no cookie has, so that the statement is the same without a cookie. */
const NO_SESSION = Buffer.alloc(32)

/** The parameters of a statement with `ofToken` and `openSession`. */
export const toParameters = ({ token_hashes, session_hashes = [] }: LinkHashes): Record<string, Buffer> =>
  Object.fromEntries(
    token_hashes.flatMap((hash, index) => [
      [`token_${index}`, hash],
      [`session_${index}`, session_hashes[index] ?? NO_SESSION]
    ])
  )

/** One parameter each, because with an array PostgreSQL would plan each execution again. */
const candidatesOf = (name: string, count: number) =>
  sql.join(Array.from({ length: count }, (_, index) => sql.placeholder(`${name}_${index}`)), sql`, `)

export const ofToken = (candidates: number) => sql`${budgetLink.token_hash} in (${candidatesOf('token', candidates)})`
/** Joins the session of the cookie, if there is one. */
export const openSession = (candidates: number) =>
  and(
    sql`${budgetSession.session_hash} in (${candidatesOf('session', candidates)})`,
    eq(budgetSession.budget_id, budgetLink.budget_id),
    isLive()
  )
export const sessionColumns = {
  session_hash: budgetSession.session_hash,
  budget_id: budgetSession.budget_id,
  clinic_id: budgetSession.clinic_id,
  created_at: budgetSession.created_at,
  last_used_at: budgetSession.last_used_at,
  read_at: budgetSession.read_at,
  handed_by: budgetSession.handed_by,
  seal: budgetSession.seal
}

/** The columns that verify a link and its sessions. */
export const sealedLinkColumns = {
  budget_id: budgetLink.budget_id,
  clinic_id: budgetLink.clinic_id,
  token_hash: budgetLink.token_hash,
  token_seal: budgetLink.token_seal,
  code_hash: budgetLink.code_hash
}

/** The same, and those that verify a code. */
const linkColumns = {
  ...sealedLinkColumns,
  code_seal: budgetLink.code_seal,
  failed_attempts: budgetLink.failed_attempts,
  locked_until: budgetLink.locked_until
}

/** Runs with each request of a patient: one statement, which does the same work whether the link exists or not. */
export async function findByToken(db: Db, hashes: LinkHashes): Promise<FoundLink | null> {
  const [row] = await byToken(db, hashes.token_hashes.length).execute(toParameters(hashes))
  return row ? withNow(row) : null
}

/** The lines of a budget, parsed and as PostgreSQL wrote them. */
export interface SentLines { items: SentItem[], items_text: string }

/** The same with the lines of the budget: a separate query would make a request a third slower. */
export async function findByTokenWithItems(db: Db, hashes: LinkHashes): Promise<(FoundLink & SentLines) | null> {
  const [row] = await byTokenWithItems(db, hashes.token_hashes.length).execute(toParameters(hashes))
  if (!row) return null
  const items_text = row.items_text!
  return { ...withNow(row), items: toSentItems(JSON.parse(items_text)), items_text }
}

/** Replaces the milliseconds of `nowMs` with a date. */
export const withNow = <Row extends { ms: number }>({ ms, ...row }: Row) => ({ ...row, now: new Date(ms) })

// Two statements: with a parameter that selects the columns, PostgreSQL would plan each execution again, which takes
// several times as long as running it.
const byToken = prepared((db, candidates) =>
  fromLink(db, { items_text: sql`null::text`, candidates }).prepare('budget_link_by_token')
)
const byTokenWithItems = prepared((db, candidates) =>
  fromLink(db, { items_text: sql`${sentItems}::text`, candidates }).prepare('budget_link_by_token_with_items')
)

function fromLink(db: Db, { items_text, candidates }: { items_text: SQL, candidates: number }) {
  return db
    .select({
      link: linkColumns,
      budget: shownColumns,
      decision: {
        signer_name: budgetSignature.signer_name,
        reason: budgetSignature.reason,
        content_digest: budgetSignature.content_digest
      },
      session: sessionColumns,
      items_text: sql<string | null>`${items_text}`,
      ms: nowMs
    })
    .from(budgetLink)
    .innerJoin(budget, eq(budget.id, budgetLink.budget_id))
    .leftJoin(budgetSignature, eq(budgetSignature.budget_id, budgetLink.budget_id))
    .leftJoin(budgetSession, openSession(candidates))
    .where(ofToken(candidates))
}

/** The link of a short address. */
export async function findByShort(db: Db, hashes: Buffer[]): Promise<LinkRow | null> {
  const [row] = await db.select().from(budgetLink).where(inArray(budgetLink.short_hash, hashes))
  return row ?? null
}

export async function findLink(db: Db | Tx, budget_id: string): Promise<LinkRow | null> {
  const [row] = await db.select().from(budgetLink).where(eq(budgetLink.budget_id, budget_id))
  return row ?? null
}

type CountedTry = Pick<
  LinkRow,
  'budget_id' | 'clinic_id' | 'failed_attempts' | 'locked_until' | 'code_hash' | 'code_seal'
>

const isUnlocked = () => or(isNull(budgetLink.locked_until), sql`${budgetLink.locked_until} <= now()`)

/**
 * Counts an attempt before its code is compared, and locks with every fifth, in one statement: however many attempts
 * run at once, in however many processes, no more than the lock allows are compared. Null while the link is locked. A
 * failover may lose the last counts, like those of other limits.
 */
export async function countAttempt(db: Db, budget_id: string): Promise<CountedTry | null> {
  const count = sql`${budgetLink.failed_attempts} + 1`
  const [row] = await db
    .update(budgetLink)
    .set({
      failed_attempts: count,
      locked_until: sql`case when (${count}) % ${sql.raw(String(FAILURES_PER_LOCK))} = 0 then now() + ${lockInterval(count)} end`
    })
    .where(and(eq(budgetLink.budget_id, budget_id), isUnlocked(), WITH_LOCK_TIMEOUT))
    .returning({
      budget_id: budgetLink.budget_id,
      clinic_id: budgetLink.clinic_id,
      failed_attempts: budgetLink.failed_attempts,
      locked_until: budgetLink.locked_until,
      code_hash: budgetLink.code_hash,
      code_seal: budgetLink.code_seal,
      commit: WITHOUT_STANDBY
    })
  return row ?? null
}

function lockInterval(count: SQL): SQL {
  const table = sql.raw(`(array[${LOCK_SECONDS.join(', ')}])`)
  return sql`make_interval(secs => ${table}[least((${count}) / ${sql.raw(String(FAILURES_PER_LOCK))}, ${sql.raw(String(LOCK_SECONDS.length))})])`
}

/**
 * After a correct code. Null if the link's own code was changed while it was compared, because then it is no longer
 * correct. Without `code_hash`: after another code.
 */
export async function clearFailures(
  tx: Tx,
  { budget_id, code_hash }: { budget_id: string, code_hash?: string }
): Promise<Pick<LinkRow, 'token_hash' | 'code_hash'> | null> {
  const [row] = await tx
    .update(budgetLink)
    .set({ failed_attempts: 0, locked_until: null })
    .where(and(
      eq(budgetLink.budget_id, budget_id),
      code_hash === undefined ? undefined : eq(budgetLink.code_hash, code_hash)
    ))
    .returning({ token_hash: budgetLink.token_hash, code_hash: budgetLink.code_hash })
  return row ?? null
}

/** Starts a new epoch. Returns the previous state of the link, or null if there was nothing to clear. */
export async function clearLock(tx: Tx, budget_id: string): Promise<{ failed_attempts: number } | null> {
  const [before] = await tx.select({ failed_attempts: budgetLink.failed_attempts }).from(budgetLink)
    .where(and(eq(budgetLink.budget_id, budget_id), sql`${budgetLink.failed_attempts} > 0`)).for('update')
  if (!before) return null
  await tx.update(budgetLink).set({ failed_attempts: 0, locked_until: null }).where(eq(budgetLink.budget_id, budget_id))
  return before
}

type LinkKey = { budget_id: string, clinic_id: string }

/** Also for drafts, which may have a code before they have a token. Starts a new epoch. */
export async function saveCode(
  tx: Tx,
  { budget_id, clinic_id }: LinkKey,
  hashed: { code_hash: string, code_seal: Buffer }
): Promise<void> {
  const code = { ...hashed, code_set_at: sql`now()`, failed_attempts: 0, locked_until: null }
  await tx
    .insert(budgetLink)
    .values({ budget_id, clinic_id, ...code })
    .onConflictDoUpdate({ target: budgetLink.budget_id, set: code })
}

/** The stored values of a link and its short address. */
type NewLinkValues
  = Record<'token_hash' | 'token_seal' | 'short_hash' | 'short_seal', Buffer>
    & Record<'token_sealed' | 'short_sealed', string>

/** Afterwards the old token and short address, if any, are unknown. */
export async function saveToken(
  tx: Tx,
  { budget_id, clinic_id }: LinkKey,
  token: NewLinkValues
): Promise<void> {
  const values = { ...token, minted_at: sql`now()` }
  await tx
    .insert(budgetLink)
    .values({ budget_id, clinic_id, ...values })
    .onConflictDoUpdate({ target: budgetLink.budget_id, set: values })
}

type DeliveryValues = Partial<Pick<
  LinkRow,
  'channel' | 'delivery' | 'delivery_error' | 'delivery_reason' | 'delivered_at' | 'delivered_via' | 'message_id'
>>

/**
 * With a `message_id`, writes only if no later message was ordered. The reason belongs to the error, and is replaced
 * with it.
 */
export async function saveDelivery(
  tx: Tx | Db,
  { budget_id, message_id }: { budget_id: string, message_id?: string },
  delivery: DeliveryValues
): Promise<void> {
  await tx
    .update(budgetLink)
    .set('delivery_error' in delivery ? { delivery_reason: null, ...delivery } : delivery)
    .where(
      and(
        eq(budgetLink.budget_id, budget_id),
        message_id === undefined ? undefined : eq(budgetLink.message_id, message_id)
      )
    )
}

/** What became of a sent message. A delivered one may still be held for another reason, which stays. */
export async function saveReport(
  db: Db,
  { budget_id, message_id }: { budget_id: string, message_id: string },
  report: { state: 'delivered' | 'failed', error: string, reason: string | null }
): Promise<void> {
  const hasFailed = sql`${budgetLink.delivery} = 'failed'`
  await db
    .update(budgetLink)
    .set(report.state === 'failed'
      ? { delivery: 'failed', delivery_error: report.error, delivery_reason: report.reason }
      : {
          delivery: 'delivered',
          delivery_error: sql`case when ${hasFailed} then null else ${budgetLink.delivery_error} end`,
          delivery_reason: null,
          delivered_at: sql`now()`
        })
    .where(and(eq(budgetLink.budget_id, budget_id), eq(budgetLink.message_id, message_id)))
}

/** Cancels a queued message. */
export async function withdrawMessage(tx: Tx, budget_id: string): Promise<void> {
  await tx.update(budgetLink).set({
    message_id: null,
    delivery: keptDelivery(),
    delivery_error: null,
    delivery_reason: null
  }).where(eq(budgetLink.budget_id, budget_id))
}

/** The state of a message that is not sent any more: an earlier one has arrived, or there was none. */
export const keptDelivery = () =>
  sql`case when ${budgetLink.delivery} in ('sent', 'delivered') then ${budgetLink.delivery} else 'none' end`

/** How many links are locked at the moment because of wrong codes. */
export async function lockedLinks(db: Db): Promise<number> {
  const [row] = await db.select({ n: count() }).from(budgetLink).where(gt(budgetLink.locked_until, sql`now()`))
  return row!.n
}
