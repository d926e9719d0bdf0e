import type { Client, Ctx } from '@svc/kit'
import { problem } from '@svc/kit'
import { attemptsLeft, lockAfter, lockOf } from '../../../shared/domain/lockout.ts'
import { countAttempt, findLink, type FoundLink } from '../../db/links.ts'
import { findSentCode } from '../../db/sent/codes.ts'
import { getLink } from './find-link.ts'
import { logAccess } from '../log/log-access.ts'
import { queueLockNotice } from './notify-lock.ts'
import { createQueue } from './one-at-a-time.ts'
import { openSession, type OpenedSession } from './open-session.ts'
import { codeOf, isSentCodeSealed } from './row-seals.ts'
import { findCodeChannel } from './sent-code/code-route.ts'

interface Input {
  token: string
  code: string
  client: Client
  /** Charges the limits that count failures. */
  countFailure (): Promise<void>
}

/**
 * Correct codes that arrive together must not lock each other out, although each is counted before it is compared. So
 * attempts on one link run one after the other. Across processes, the count itself is the guard.
 */
const inTurn = createQueue()

/** Throws `link_not_found`, `link_locked` or `code_wrong`. */
export async function verifyCode(ctx: Ctx, input: Input): Promise<OpenedSession> {
  const found = await getLink(ctx, input.token)
  const lock = lockOf(found)
  if (lock.locked_until) throw linkLocked(lock.locked_until, found.now)
  return await inTurn(found.budget.id, () => tryCode(ctx, input, found))
}

async function tryCode(
  ctx: Ctx,
  { code, client, countFailure }: Input,
  { budget: { id: budget_id, clinic_id }, link }: FoundLink
): Promise<OpenedSession> {
  const counted = await countAttempt(ctx.db, budget_id)
  if (!counted) throw await lockedMeanwhile(ctx, budget_id)
  const { failed_attempts } = counted
  const by = await findCodeChannel(ctx, clinic_id)
  const code_hash = by?.only ? null : codeOf(ctx.secrets, counted)
  if (code_hash !== null && (await ctx.secrets.verify(code, code_hash))) {
    const opened = await openSession(ctx, { budget_id, clinic_id, code_hash, client })
    if (opened) return opened
  }
  const sent = by && await findSentCode(ctx.db, budget_id)
  if (sent && isSentCodeSealed(ctx.secrets, sent, link) && await ctx.secrets.verify(code, sent.code_hash)) {
    const opened = await openSession(ctx, { budget_id, clinic_id, sent, client })
    if (opened) return opened
  }
  await countFailure()
  await logFailure(ctx, { budget_id, clinic_id, client, failed_attempts, locked_until: counted.locked_until })
  if (counted.locked_until) throw linkLocked(counted.locked_until, await ctx.clock.now())
  throw problem('code_wrong', { attempts_left: attemptsLeft(failed_attempts) })
}

interface Failure {
  budget_id: string
  clinic_id: string
  client: Client
  failed_attempts: number
  locked_until: Date | null
}

async function logFailure(
  ctx: Ctx,
  { budget_id, clinic_id, client, failed_attempts, locked_until }: Failure
): Promise<void> {
  await ctx.localTransaction(async (tx) => {
    await logAccess(ctx, tx, {
      budget_id,
      action: 'verify',
      success: false,
      actor: 'patient',
      client,
      detail: { failed_attempts }
    })
    if (!locked_until) return
    const notified = await queueLockNotice(ctx, tx, { clinic_id, id: budget_id, locked_until })
    const detail = { failed_attempts, seconds: lockAfter(failed_attempts), notified }
    await logAccess(ctx, tx, { budget_id, action: 'locked', actor: 'system', client, detail })
  })
}

/** The attempt was not counted, because the link was locked between reading and counting. */
async function lockedMeanwhile(ctx: Ctx, budget_id: string) {
  const now = await ctx.clock.now()
  const link = await findLink(ctx.db, budget_id)
  return link?.locked_until ? linkLocked(link.locked_until, now) : problem('link_not_found')
}

export function linkLocked(locked_until: Date, now: Date) {
  return problem('link_locked', {
    locked_until,
    retry_after: Math.max(1, (locked_until.getTime() - now.getTime()) / 1000)
  })
}
