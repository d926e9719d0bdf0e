import { randomUUID } from 'node:crypto'
import type { Client, Ctx, Tx } from '@svc/kit'
import type { LogAction } from '../../../shared/link.ts'
import { appendLogRow, appendLogRowAlone, lockHead, type SeenHead } from '../../db/access-log.ts'
import { erasable, headSeal, isHeadSealed, rowHash, type Detail } from './log-chain.ts'

export interface LogEntry {
  budget_id: string
  action: LogAction
  /** Default true. */
  success?: boolean
  actor: 'patient' | 'staff' | 'system'
  user_id?: string | null
  /** Absent if there is no request. */
  client?: Client | null
  /** Only codes, counts and ids. */
  detail?: Record<string, string | number | boolean | null>
  /** Text by or about a person, stored so that it can be erased without breaking the chain. */
  personal?: Record<string, string>
}

/**
 * Appends one row to the budget's chain and moves the sealed head, under the budget's row lock. A caller that has
 * already locked the row passes the `head` that it read. Does nothing if the budget has been deleted.
 */
export async function logAccess(ctx: Ctx, tx: Tx, entry: LogEntry, head?: SeenHead): Promise<void> {
  const seen = head ?? await lockHead(tx, entry.budget_id)
  if (!seen) return
  const { row, log_seal } = makeLogRow(ctx, entry, seen)
  if (!await appendLogRow(tx, row, log_seal))
    throw new Error(`the log of budget ${entry.budget_id} was appended to without its lock`)
}

/**
 * The same without a lock and in one statement, whose commit does not wait for a standby. False if another row was
 * appended since `head` was read.
 */
export async function tryLogAccess(ctx: Ctx, entry: LogEntry, head: SeenHead): Promise<boolean> {
  const { row, log_seal } = makeLogRow(ctx, entry, head)
  return await appendLogRowAlone(ctx.db, row, log_seal)
}

/** The next row of a log, and the seal of its new end. */
export function makeLogRow(ctx: Pick<Ctx, 'secrets'>, entry: LogEntry, head: SeenHead) {
  const { client = null } = entry
  const row = {
    id: randomUUID(),
    budget_id: entry.budget_id,
    clinic_id: head.clinic_id,
    seq: head.log_count + 1,
    at: head.now,
    action: entry.action,
    success: entry.success ?? true,
    actor: entry.actor,
    user_id: entry.user_id ?? null,
    ip_hash: client ? ipHash(ctx, client.ip) : null,
    user_agent: client?.user_agent ?? null,
    detail: toDetail(entry, client?.token_id),
    prev_hash: head.log_hash
  }
  const hash = rowHash(ctx.secrets, { ...row, at: toMicroseconds(head.now) })
  return { row: { ...row, hash }, log_seal: nextSeal(ctx, head, { ...row, hash }) }
}

/** A seal that does not match is kept, because a new one would hide that the end of the log was changed. */
const nextSeal = (
  ctx: Pick<Ctx, 'secrets'>,
  head: SeenHead,
  { budget_id, seq, hash }: { budget_id: string, seq: number, hash: Buffer }
): Buffer =>
  isHeadSealed(ctx.secrets, budget_id, head)
    ? headSeal(ctx.secrets, budget_id, seq, hash)
    : (head.log_seal ?? Buffer.alloc(0))

/** Distinguishes two addresses without revealing either. */
export const ipHash = (ctx: Pick<Ctx, 'secrets'>, ip: string): string => ctx.secrets.mac('budget.ip', ip).toString('base64url')

/** `token_id`: the program that acted for its creator. */
function toDetail({ detail = {}, personal = {} }: LogEntry, token_id?: string): Detail {
  const texts = Object.fromEntries(Object.entries(personal).map(([name, text]) => [name, erasable(text)]))
  return { ...detail, ...token_id ? { token_id } : {}, ...texts }
}

/** The column stores microseconds; we write none, so that a later change of them is detected. */
export const toMicroseconds = (at: Date) => at.toISOString().replace('Z', '000Z')
