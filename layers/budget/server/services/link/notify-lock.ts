import { randomUUID } from 'node:crypto'
import type { Ctx, Tx } from '@svc/kit'
import { countNotifiedLocks } from '../../db/access-log.ts'
import { findBudget, type BudgetKey } from '../../db/budgets.ts'
import { classifyFailure } from '../../../shared/domain/delivery-error.ts'
import { lockMessage } from '../../mail/lock-message.ts'
import { sendToStaff } from '../budget/send-to-staff.ts'

export const NOTIFY_LOCK = 'notify-lock'
const MAX_PER_DAY = 3

/** `message_id` is the same in each attempt, so that a mailbox shows one message. */
export interface LockNotice extends BudgetKey { locked_until: string, message_id: string }

/** Once per lock, and at most three times a day for one budget. True if the clinic gets a message. */
export async function queueLockNotice(
  ctx: Ctx,
  tx: Tx,
  { locked_until, ...key }: BudgetKey & { locked_until: Date }
): Promise<boolean> {
  if ((await countNotifiedLocks(tx, key.id)) >= MAX_PER_DAY) return false
  const notice: LockNotice = { ...key, locked_until: locked_until.toISOString(), message_id: randomUUID() }
  await ctx.jobs.add(tx, NOTIFY_LOCK, { ...notice }, { key: `lock:${key.id}` })
  return true
}

/**
 * The job. The clinic's own address comes first, because the person who answers its phone can unlock the link. A
 * temporary refusal is thrown and retried.
 */
export async function notifyLock(ctx: Ctx, { locked_until, message_id, ...key }: LockNotice): Promise<void> {
  const [clinic, budget] = [await ctx.clinics.get(key.clinic_id), await findBudget(ctx.db, key)]
  if (!budget) return
  const author = budget.created_by && await ctx.users.email(budget.clinic_id, budget.created_by)
  const to = clinic.email ?? author
  if (!to) return
  const url = `${ctx.base_url}/budgets/${budget.id}`
  const mail = lockMessage({ clinic, number: budget.number, locked_until: new Date(locked_until), url })
  try {
    await sendToStaff(ctx, { to, id: message_id, ...mail }, { to: author || null, budget_id: budget.id })
  } catch (error) {
    if (!classifyFailure(error).is_final) throw error
    ctx.log.warn('notice.refused', { budget_id: budget.id, error })
  }
}
