import { createHash, randomBytes } from 'node:crypto'
import canonicalize from 'canonicalize'

/** What a MAC is made and checked with: `ctx.secrets`. */
export interface Macs {
  mac (purpose: string, data: string): Buffer
  verifyMac (purpose: string, data: string, mac: Uint8Array): boolean
}

/** Personal text in `detail`: only its salted digest enters the chain, so that text and salt can be erased. */
interface Erasable { sha256: string, text?: string, salt?: string }
export type Detail = Record<string, unknown>

/** A row as it enters the chain. `at` is ISO 8601 to the microsecond. */
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

const digestOf = (salt: string, text: string) => createHash('sha256').update(`${salt}\n${text}`).digest('hex')

const isErasable = (value: unknown): value is Erasable =>
  typeof value === 'object' && value !== null && typeof (value as Erasable).sha256 === 'string'

/** Personal text as a row keeps it. */
export function erasable(text: string): Erasable {
  const salt = randomBytes(16).toString('base64url')
  return { text, salt, sha256: digestOf(salt, text) }
}

/** For people: the text, or null once it was erased. */
export function readable(detail: Detail): Detail {
  return Object.fromEntries(Object.entries(detail).map(([name, value]) => [name, isErasable(value) ? value.text ?? null : value]))
}

function chained(row: ChainedRow): string {
  const detail = Object.fromEntries(Object.entries(row.detail).map(([name, value]) => [name, isErasable(value) ? { sha256: value.sha256 } : value]))
  const { id, budget_id, clinic_id, seq, at, action, success, actor, user_id, ip_hash, user_agent } = row
  return canonicalize({ id, budget_id, clinic_id, seq, at, action, success, actor, user_id, ip_hash, user_agent, detail, prev_hash: hex(row.prev_hash) })!
}

const hex = (bytes: Uint8Array | null) => bytes === null ? null : Buffer.from(bytes).toString('hex')
const same = (a: Uint8Array | null, b: Uint8Array | null) => hex(a) === hex(b)
const headText = (budget_id: string, count: number, hash: Uint8Array) => `${budget_id} ${count} ${hex(hash)}`

export const rowHash = (macs: Macs, row: ChainedRow): Buffer => macs.mac(ROW, chained(row))

export const headSeal = (macs: Macs, budget_id: string, count: number, hash: Uint8Array): Buffer => macs.mac(HEAD, headText(budget_id, count, hash))

export interface Head { log_count: number, log_hash: Uint8Array | null, log_seal: Uint8Array | null }
/** The place in the chain, from 1, and what is wrong there. */
export interface Break { seq: number, id: string | null, why: string }

/** The first row that is not as it was written; null when the chain is whole. Rows come in order. */
export function firstBreak(macs: Macs, budget_id: string, head: Head, rows: readonly (ChainedRow & { hash: Uint8Array })[]): Break | null {
  let before: Uint8Array | null = null
  for (const [index, row] of rows.entries()) {
    const seq = index + 1
    if (row.seq !== seq) return { seq, id: null, why: 'is missing' }
    if (!same(row.prev_hash, before) || !macs.verifyMac(ROW, chained(row), row.hash)) return { seq, id: row.id, why: 'was changed' }
    if (!textsHold(row.detail)) return { seq, id: row.id, why: 'has a text that was changed' }
    before = row.hash
  }
  return headBreak(macs, budget_id, head, rows)
}

function textsHold(detail: Detail): boolean {
  return Object.values(detail).every(value => !isErasable(value) || value.text === undefined || digestOf(value.salt ?? '', value.text) === value.sha256)
}

function headBreak(macs: Macs, budget_id: string, { log_count, log_hash, log_seal }: Head, rows: readonly (ChainedRow & { hash: Uint8Array })[]): Break | null {
  if (log_hash === null && log_seal === null && log_count === 0) {
    return rows.length === 0 ? null : { seq: 1, id: rows[0]!.id, why: 'was added behind the end of the log' }
  }
  const sealed = log_hash !== null && log_seal !== null && macs.verifyMac(HEAD, headText(budget_id, log_count, log_hash), log_seal)
  if (!sealed) return { seq: log_count, id: null, why: 'is not the sealed end of the log' }
  if (rows.length < log_count) return { seq: rows.length + 1, id: null, why: 'is missing' }
  if (rows.length > log_count) return { seq: log_count + 1, id: rows[log_count]!.id, why: 'was added behind the end of the log' }
  return same(rows.at(-1)?.hash ?? null, log_hash) ? null : { seq: log_count, id: rows.at(-1)?.id ?? null, why: 'is not the sealed end of the log' }
}
