import { sql } from 'drizzle-orm'
import type { Tx } from '@svc/kit'
import { rowsOf } from '../db/rows.ts'
import type { Host } from '../host.ts'
import { checkpointSeal, INSTANCE } from './chain.ts'
import { findBreak } from './find-break.ts'
import { chainBatches, findCheckpoint, type StoredRow } from './read-chain.ts'

/** The instance's own log, which belongs to no clinic. */
const INSTANCE_MONTHS = 24

type Needs = Pick<Host, 'db' | 'secrets' | 'clinics' | 'log'>

/**
 * The nightly job: deletes rows older than the clinic's retention time, and seals a checkpoint in their place (ADR 10).
 */
export async function trimAudit(host: Needs): Promise<void> {
  const clinics = (await host.clinics.list()).map(({ id, retention }) => ({ id, months: retention.audit_months }))
  for (const { id, months } of [{ id: INSTANCE, months: INSTANCE_MONTHS }, ...clinics]) {
    if (months === null || !await hasOver(host, id, months)) continue
    const rows = await host.db.transaction(tx => trimChain(host, tx, { clinic_id: id, months }))
    if (rows > 0) host.log.info('audit.trimmed', { clinic_id: id, rows })
  }
}

const over = (months: number) => sql`now() - make_interval(months => ${months}::int)`

async function hasOver({ db }: Needs, clinic_id: string, months: number): Promise<boolean> {
  const rows = await rowsOf(db, sql`
    select 1 as one from core_audit where clinic_id = ${clinic_id}::uuid and at < ${over(months)} limit 1`)
  return rows.length > 0
}

/**
 * Deletes the expired rows at the beginning of a log, under the lock of its head. A log that fails its check keeps all
 * rows, so that a manipulation does not vanish behind a valid seal.
 */
async function trimChain(
  { secrets, log }: Needs,
  tx: Tx,
  { clinic_id, months }: { clinic_id: string, months: number }
): Promise<number> {
  await rowsOf(tx, sql`select 1 as one from core_audit_head where clinic_id = ${clinic_id}::uuid for no key update`)
  const broken = await findBreak(tx, secrets, clinic_id)
  if (broken) {
    log.warn('audit.not_trimmed', { clinic_id, ...broken })
    return 0
  }
  const term = await findTerm(tx, months)
  const gone = await findGone(tx, clinic_id, term.before)
  if (!gone) return 0
  const earlier = await findCheckpoint(tx, clinic_id)
  const fresh = {
    clinic_id,
    seq: gone.last.seq,
    hash: gone.last.hash,
    from_at: earlier?.from_at ?? gone.first.at,
    to_at: gone.last.at,
    made_at: term.now
  }
  await saveCheckpoint(tx, { ...fresh, seal: checkpointSeal(secrets, fresh) })
  const removed = await rowsOf(tx, sql`
    delete from core_audit where clinic_id = ${clinic_id}::uuid and seq <= ${fresh.seq}::int returning seq`)
  return removed.length
}

async function findTerm(tx: Tx, months: number): Promise<{ now: string, before: string }> {
  const [row] = await rowsOf<{ now: string, before: string }>(tx, sql`
    select to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as now,
           to_char((${over(months)}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as before`)
  return row!
}

/** The expired rows, up to the first younger one. */
async function findGone(
  tx: Tx,
  clinic_id: string,
  before: string
): Promise<{ first: StoredRow, last: StoredRow } | null> {
  let first: StoredRow | undefined
  let last: StoredRow | undefined
  for await (const rows of chainBatches(tx, clinic_id)) {
    const young = rows.findIndex(row => row.at >= before)
    const gone = young === -1 ? rows : rows.slice(0, young)
    first ??= gone[0]
    last = gone.at(-1) ?? last
    if (young !== -1) break
  }
  return first && last ? { first, last } : null
}

async function saveCheckpoint(
  tx: Tx,
  { clinic_id, seq, hash, from_at, to_at, made_at, seal }: {
    clinic_id: string
    seq: number
    hash: Buffer
    from_at: string
    to_at: string
    made_at: string
    seal: Buffer
  }
): Promise<void> {
  await rowsOf(tx, sql`
    insert into core_audit_checkpoint (clinic_id, seq, hash, from_at, to_at, made_at, seal)
    values (${clinic_id}::uuid, ${seq}::int, decode(${hash.toString('hex')}, 'hex'), ${from_at}::text::timestamptz,
            ${to_at}::text::timestamptz, ${made_at}::text::timestamptz, decode(${seal.toString('hex')}, 'hex'))
    on conflict (clinic_id) do update set seq = excluded.seq, hash = excluded.hash, from_at = excluded.from_at,
      to_at = excluded.to_at, made_at = excluded.made_at, seal = excluded.seal`)
}
