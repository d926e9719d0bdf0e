import { createHash, randomBytes, randomUUID } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { LogFacts } from '../../db/schema.ts'

/** Makes and checks MACs; implemented by `ctx.secrets`. */
export interface Macs {
  mac (purpose: string, data: string): Buffer
  verifyMac (purpose: string, data: string, mac: Uint8Array): boolean
}

/** Personal text in `detail`: only its salted digest is part of the chain, so that text and salt can be erased. */
type Erasable = { sha256: string, text: string, salt: string } | { sha256: string, text?: undefined, salt?: undefined }
export type Detail = Record<string, unknown>

/** A row as it is hashed into the chain. `at` is ISO 8601 with microseconds. */
export interface ChainedRow {
  id: string
  budget_id: string
  clinic_id: string
  seq: number
  at: string
  action: string
  success: boolean
  actor: string
  user_id: string | null
  ip_hash: string | null
  user_agent: string | null
  detail: Detail
  prev_hash: Uint8Array | null
}

const ROW = 'budget.log'
const HEAD = 'budget.log.head'
const CHECKPOINT = 'budget.log.checkpoint'

const digestOf = (salt: string, text: string) => createHash('sha256').update(`${salt}\n${text}`).digest('hex')

/** Complete or erased, with no other members, because these would not be part of the chain. */
function isErasable(value: unknown): value is Erasable {
  if (typeof value !== 'object' || value === null) return false
  const names = Object.keys(value).sort().join()
  return (
    (names === 'sha256' || names === 'salt,sha256,text') && Object.values(value).every(part => typeof part === 'string')
  )
}

/** Personal text in its stored form. */
export function erasable(text: string): Erasable {
  const salt = randomBytes(16).toString('base64url')
  return { text, salt, sha256: digestOf(salt, text) }
}

/** What remains of `detail` when the person's data is erased: the chain stays valid. */
export function withoutTexts(detail: Detail): Detail {
  return Object.fromEntries(
    Object.entries(detail).map(([name, value]) => [name, isErasable(value) ? { sha256: value.sha256 } : value])
  )
}

/** For display: the text, or null once it was erased. */
export function readable(detail: Detail): Detail {
  return Object.fromEntries(
    Object.entries(detail).map(([name, value]) => [name, isErasable(value) ? (value.text ?? null) : value])
  )
}

function chained(row: ChainedRow): string {
  const detail = withoutTexts(row.detail)
  const { id, budget_id, clinic_id, seq, at, action, success, actor, user_id, ip_hash, user_agent } = row
  return canonicalize({
    id,
    budget_id,
    clinic_id,
    seq,
    at,
    action,
    success,
    actor,
    user_id,
    ip_hash,
    user_agent,
    detail,
    prev_hash: hex(row.prev_hash)
  })!
}

const hex = (bytes: Uint8Array | null) => bytes === null ? null : Buffer.from(bytes).toString('hex')
const same = (a: Uint8Array | null, b: Uint8Array | null) => hex(a) === hex(b)
const headText = (budget_id: string, count: number, hash: Uint8Array | null) => `${budget_id} ${count} ${hex(hash)}`

export const rowHash = (macs: Macs, row: ChainedRow): Buffer => macs.mac(ROW, chained(row))

export const headSeal = (macs: Macs, budget_id: string, count: number, hash: Uint8Array | null): Buffer =>
  macs.mac(HEAD, headText(budget_id, count, hash))

/** A new budget's id and the seal of its empty log, so that a log emptied by SQL is not taken for a new one. */
export function startLog(macs: Macs): { id: string, log_seal: Buffer } {
  const id = randomUUID()
  return { id, log_seal: headSeal(macs, id, 0, null) }
}

export const isHeadSealed = (macs: Macs, budget_id: string, { log_count, log_hash, log_seal }: Head): boolean =>
  log_seal !== null && macs.verifyMac(HEAD, headText(budget_id, log_count, log_hash), log_seal)

/** Whether it is sealed as a log that never had a row. */
export const isLogEmpty = (macs: Macs, budget: Head & { id: string }): boolean =>
  budget.log_count === 0 && budget.log_hash === null && isHeadSealed(macs, budget.id, budget)

/** Replaces the rows that were trimmed from the beginning of a log. Instants are ISO 8601 with microseconds. */
export interface Checkpoint {
  budget_id: string
  clinic_id: string
  seq: number
  hash: Uint8Array
  rows: number
  from_at: string
  to_at: string
  made_at: string
  facts: LogFacts
}

const checkpointText = ({ budget_id, clinic_id, seq, hash, rows, from_at, to_at, made_at, facts }: Checkpoint) =>
  canonicalize({ budget_id, clinic_id, seq, hash: hex(hash), rows, from_at, to_at, made_at, facts })!

export const checkpointSeal = (macs: Macs, checkpoint: Checkpoint): Buffer =>
  macs.mac(CHECKPOINT, checkpointText(checkpoint))
export const isCheckpointSealed = (macs: Macs, checkpoint: Checkpoint & { seal: Uint8Array }): boolean =>
  macs.verifyMac(CHECKPOINT, checkpointText(checkpoint), checkpoint.seal)

/** The rows that the service wrote, whatever happened to others. */
export const genuineRows = <Row extends ChainedRow & { hash: Uint8Array }>(macs: Macs, rows: readonly Row[]): Row[] =>
  rows.filter(
    row =>
      macs.verifyMac(ROW, chained(row), row.hash)
      && Object.values(row.detail).every(
        value => !isErasable(value) || value.text === undefined || digestOf(value.salt, value.text) === value.sha256
      )
  )

export interface Head { log_count: number, log_hash: Uint8Array | null, log_seal: Uint8Array | null }
/** The position in the chain, from 1, and what is wrong there. */
export interface Break { seq: number, id: string | null, why: string }

/** A log as stored, with its rows in order. */
export interface Log {
  budget: { id: string, erased_at: Date | null } & Head
  checkpoint: (Checkpoint & { seal: Uint8Array }) | null
  rows: readonly (ChainedRow & { hash: Uint8Array })[]
}

/** The first row that has been changed; null if the chain, or what follows its checkpoint, is intact. */
export function firstBreak(macs: Macs, { budget, checkpoint, rows }: Log): Break | null {
  if (checkpoint && !isCheckpointSealed(macs, checkpoint)) {
    return {
      seq: 1,
      id: null,
      why: `was removed, and the checkpoint that stands for the rows up to ${checkpoint.seq} was changed`
    }
  }
  const begin = checkpoint?.seq ?? 0
  let before = checkpoint?.hash ?? null
  for (const [index, row] of rows.entries()) {
    const seq = begin + index + 1
    if (row.seq > seq) return { seq, id: null, why: 'is missing' }
    if (row.seq < seq) return { seq: row.seq, id: row.id, why: 'has no place in the log' }
    if (!same(row.prev_hash, before) || !macs.verifyMac(ROW, chained(row), row.hash))
      return { seq, id: row.id, why: 'was changed' }
    if (!textsHold(row.detail, budget.erased_at !== null))
      return { seq, id: row.id, why: 'has a text that was changed' }
    before = row.hash
  }
  return headBreak(macs, { budget, checkpoint, rows })
}

/** A text may be missing only if the person's data was erased. */
function textsHold(detail: Detail, isErased: boolean): boolean {
  return Object.values(detail).every(
    value =>
      !isErasable(value) || (value.text === undefined ? isErased : digestOf(value.salt, value.text) === value.sha256)
  )
}

function headBreak(macs: Macs, { budget: { id, log_count, log_hash, log_seal }, checkpoint, rows }: Log): Break | null {
  const begin = checkpoint?.seq ?? 0
  const last = begin + rows.length
  if (!isHeadSealed(macs, id, { log_count, log_hash, log_seal }))
    return { seq: Math.max(log_count, 1), id: null, why: 'is not the sealed end of the log' }
  if (last < log_count) return { seq: last + 1, id: null, why: 'is missing' }
  if (last > log_count)
    return { seq: log_count + 1, id: rows[log_count - begin]?.id ?? null, why: 'was added behind the end of the log' }
  return same(rows.at(-1)?.hash ?? checkpoint?.hash ?? null, log_hash)
    ? null
    : { seq: log_count, id: rows.at(-1)?.id ?? null, why: 'is not the sealed end of the log' }
}
