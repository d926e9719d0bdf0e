import { randomUUID } from 'node:crypto'
import type { Client, Ctx, Tx } from '@svc/kit'
import type { LogAction } from '../../shared/link.ts'
import { appendLogRow, lockHead } from '../db/access-log.ts'
import { erasable, headSeal, rowHash, type Detail } from './log-chain.ts'

export interface LogEntry {
  budget_id: string
  action: LogAction
  /** Default true. */
  success?: boolean
  actor: 'patient' | 'staff' | 'system'
  user_id?: string | null
  /** Absent when no request is behind it. */
  client?: Client | null
  /** Codes, counts and ids only. */
  detail?: Record<string, string | number | boolean | null>
  /** Text by or about a person: kept so that it can be erased without breaking the chain. */
  personal?: Record<string, string>
}

/**
 * Appends one row to the budget's chain and moves the sealed head, under the budget's row lock.
 * Does nothing when the budget is gone.
 */
export async function logAccess(ctx: Ctx, tx: Tx, entry: LogEntry): Promise<void> {
  const head = await lockHead(tx, entry.budget_id)
  if (!head) return
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
    detail: toDetail(entry),
    prev_hash: head.log_hash
  }
  const hash = rowHash(ctx.secrets, { ...row, at: toMicroseconds(head.now) })
  await appendLogRow(tx, { ...row, hash }, headSeal(ctx.secrets, row.budget_id, row.seq, hash))
}

/** Tells two addresses apart without keeping either. */
export const ipHash = (ctx: Ctx, ip: string): string => ctx.secrets.mac('budget.ip', ip).toString('base64url')

function toDetail({ detail = {}, personal = {} }: LogEntry): Detail {
  return { ...detail, ...Object.fromEntries(Object.entries(personal).map(([name, text]) => [name, erasable(text)])) }
}

/** The column keeps microseconds; what we write has none, and a later change of them must show. */
const toMicroseconds = (at: Date) => at.toISOString().replace('Z', '000Z')
