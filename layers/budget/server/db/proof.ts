import { and, asc, eq, getTableColumns, gt, lte, sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Db, Tx } from '@svc/kit'
import type { LogRow } from './access-log.ts'
import { budgetColumns, type BudgetRow } from './budgets.ts'
import { sentItems, toSentItems, type SentItem } from './items.ts'
import { listMessagesOfAll, type MessageRow } from './messages.ts'
import { budget, budgetAccessLog, budgetLink, budgetLogCheckpoint, budgetSignature } from './schema.ts'
import type { SignatureRow } from './signatures.ts'

/** An instant to the microsecond, so that every change of it is detected. */
const exact = (column: PgColumn) => sql<string>`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

/** As stored, with the instant's microseconds. */
export type ChainRow = Omit<LogRow, 'at'> & { at: string }
type CheckpointColumns = typeof budgetLogCheckpoint.$inferSelect
export type CheckpointRow = Omit<CheckpointColumns, 'from_at' | 'to_at' | 'made_at'>
  & Record<'from_at' | 'to_at' | 'made_at', string>

/** Everything that is needed to verify one version. */
export interface Proof {
  budget: BudgetRow & { erased_at_exact: string | null, decided_at_exact: string | null }
  signature: Omit<SignatureRow, 'decided_at'> & { decided_at: string } | null
  /** The current lines. */
  items: SentItem[]
  /** The values that open the link, and the MACs that bind them to this version. */
  link: Pick<typeof budgetLink.$inferSelect, keyof typeof linkColumns> | null
  checkpoint: CheckpointRow | null
  rows: ChainRow[]
  /** Messages on this version, oldest first. */
  messages: MessageRow[]
}

const linkColumns = {
  budget_id: budgetLink.budget_id,
  clinic_id: budgetLink.clinic_id,
  token_hash: budgetLink.token_hash,
  token_seal: budgetLink.token_seal,
  token_sealed: budgetLink.token_sealed,
  short_hash: budgetLink.short_hash,
  short_seal: budgetLink.short_seal,
  code_hash: budgetLink.code_hash,
  code_seal: budgetLink.code_seal
}

const BATCH = 200
const ZERO = '00000000-0000-0000-0000-000000000000'

/** Limits the versions to those above an id, to those with a row written since an instant, and to a random sample. */
export interface Range {
  after?: string
  /** Inclusive. */
  upto?: string
  since?: string
  sample?: { /** 0 to 1. */ share: number, seed: number }
}
export type Which = { id: string } | { number: string } | Range

/**
 * All versions that match `which`, in batches by id, so that few are in memory. Without `which`, all versions. The next
 * batch is read while the caller works on the previous one.
 */
export async function* proofs(db: Db, which: Which = {}): AsyncGenerator<Proof> {
  const readAfter = (after: string) => {
    // One snapshot, so that a row written meanwhile does not seem to lie after the end of its log.
    const batch = db.transaction(tx => readBatch(tx, and(gt(budget.id, after), whichOf(which))), {
      isolationLevel: 'repeatable read',
      accessMode: 'read only'
    })
    batch.catch(() => {}) // thrown where it is awaited; a caller that stops earlier doesn't need the batch
    return batch
  }
  let next = readAfter(('after' in which && which.after) || ZERO)
  for (;;) {
    const batch = await next
    const isLast = batch.length < BATCH
    if (!isLast) next = readAfter(batch.at(-1)!.budget.id)
    yield* batch
    if (isLast) return
  }
}

export async function countProofs(db: Db, range: Range): Promise<number> {
  return await db.$count(budget, and(gt(budget.id, range.after ?? ZERO), whichOf(range)))
}

/** The ids at which parts of that many versions end, in order. The versions after the last id are a smaller part. */
export async function listEnds(db: Db, range: Range, size: number): Promise<string[]> {
  const place = sql<string>`row_number() over (order by ${budget.id})`.as('place')
  const found = db.select({ id: budget.id, place }).from(budget)
    .where(and(gt(budget.id, range.after ?? ZERO), whichOf(range))).as('found')
  const rows = await db.select({ id: found.id }).from(found)
    .where(sql`${found.place} % ${size}::int = 0`).orderBy(asc(found.id))
  return rows.map(({ id }) => id)
}

function whichOf(which: Which): SQL | undefined {
  if ('id' in which) return eq(budget.id, which.id)
  if ('number' in which) return eq(budget.number, which.number)
  return and(
    which.upto ? lte(budget.id, which.upto) : undefined,
    which.since ? writtenSince(which.since) : undefined,
    which.sample ? isChosen(which.sample) : undefined
  )
}

const writtenSince = (since: string) => sql`(${budget.updated_at} >= ${since}::text::timestamptz or exists (
  select from ${budgetAccessLog} where ${budgetAccessLog.budget_id} = ${budget.id} and ${budgetAccessLog.at} >= ${since}::text::timestamptz))`

/** A hash of the id, which is unpredictable without the seed. */
const isChosen = ({ share, seed }: { share: number, seed: number }) =>
  sql`(hashtextextended(${budget.id}::text, ${seed}::bigint) & 1048575) < ${Math.round(share * 1_048_576)}::bigint`

/** The proof of one version, from one snapshot. */
export async function findProof(db: Db, id: string): Promise<Proof | null> {
  for await (const proof of proofs(db, { id })) return proof
  return null
}

/** The same for a transaction that holds its lock. */
export async function readProof(tx: Tx | Db, budget_id: string): Promise<Proof | null> {
  return (await readBatch(tx, eq(budget.id, budget_id)))[0] ?? null
}

/**
 * A text that changes whenever any row of this version is written, by anyone: PostgreSQL stores in each row which
 * transaction wrote it, and no statement can set that.
 */
export async function findState(db: Db, id: string): Promise<string> {
  const of = sql`budget_id = ${id}::uuid`
  const [row] = await db.execute<{ state: string }>(sql`
    select concat_ws(' ', (select xmin from budget where id = ${id}::uuid),
      (select xmin from budget_link where ${of}), (select xmin from budget_signature where ${of}),
      (select xmin from budget_log_checkpoint where ${of}),
      (select string_agg(xmin::text, ',' order by id) from budget_item where ${of}),
      (select string_agg(xmin::text, ',' order by seq) from budget_access_log where ${of}),
      (select string_agg(xmin::text, ',' order by seq) from budget_message where ${of})) as state`)
  return row!.state
}

async function readBatch(tx: Tx | Db, where: SQL | undefined): Promise<Proof[]> {
  const found = await findBatch(tx, where)
  const ids = found.map(({ budget: { id } }) => id)
  if (ids.length === 0) return []
  const rows = await rowsOf(tx, ids)
  const checkpoints = await checkpointsOf(tx, ids)
  const messages = Map.groupBy(await listMessagesOfAll(tx, ids), message => message.budget_id)
  return found.map(one => ({
    ...one,
    checkpoint: checkpoints.get(one.budget.id) ?? null,
    rows: rows.get(one.budget.id) ?? [],
    messages: messages.get(one.budget.id) ?? []
  }))
}

async function findBatch(
  tx: Tx | Db,
  where: SQL | undefined
): Promise<Pick<Proof, 'budget' | 'signature' | 'items' | 'link'>[]> {
  return await tx
    .select({
      budget: {
        ...budgetColumns,
        erased_at_exact: exact(budget.erased_at),
        decided_at_exact: exact(budget.decided_at)
      },
      signature: { ...getTableColumns(budgetSignature), decided_at: exact(budgetSignature.decided_at) },
      items: sentItems.mapWith(toSentItems),
      link: linkColumns
    })
    .from(budget)
    .leftJoin(budgetSignature, eq(budgetSignature.budget_id, budget.id))
    .leftJoin(budgetLink, eq(budgetLink.budget_id, budget.id))
    .where(where)
    .orderBy(asc(budget.id))
    .limit(BATCH)
}

/** One parameter for all ids: hundreds of them would take the client longer to write than to send. */
const isOneOf = (column: PgColumn, ids: string[]) => sql`${column} = any(${`{${ids.join()}}`}::text::uuid[])`

async function rowsOf(tx: Tx | Db, ids: string[]): Promise<Map<string, ChainRow[]>> {
  const rows = await tx
    .select({ ...getTableColumns(budgetAccessLog), at: exact(budgetAccessLog.at) })
    .from(budgetAccessLog)
    .where(isOneOf(budgetAccessLog.budget_id, ids))
    .orderBy(asc(budgetAccessLog.budget_id), asc(budgetAccessLog.seq))
  return Map.groupBy(rows, row => row.budget_id)
}

async function checkpointsOf(tx: Tx | Db, ids: string[]): Promise<Map<string, CheckpointRow>> {
  const { from_at, to_at, made_at } = budgetLogCheckpoint
  const rows = await tx
    .select({
      ...getTableColumns(budgetLogCheckpoint),
      from_at: exact(from_at),
      to_at: exact(to_at),
      made_at: exact(made_at)
    })
    .from(budgetLogCheckpoint)
    .where(isOneOf(budgetLogCheckpoint.budget_id, ids))
  return new Map(rows.map(row => [row.budget_id, row]))
}
