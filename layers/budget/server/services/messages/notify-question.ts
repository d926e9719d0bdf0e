import type { Ctx, Tx } from '@svc/kit'
import { findBudget, type BudgetKey } from '../../db/budgets.ts'
import { questionMessage } from '../../mail/question-message.ts'
import { classifyFailure } from '../../../shared/domain/delivery-error.ts'
import { sendToStaff } from '../budget/send-to-staff.ts'

export const NOTIFY_QUESTION = 'notify-question'

/** For a stored message: its id is also the mail's, so that a mailbox shows one mail however often it is sent. */
export interface MessageNotice extends BudgetKey { message_id: string }

export async function queueQuestionNotice(ctx: Ctx, tx: Tx, notice: MessageNotice): Promise<void> {
  await ctx.jobs.add(tx, NOTIFY_QUESTION, { ...notice }, { key: `question:${notice.id}` })
}

/**
 * The job: emails the author, otherwise the clinic, about a question. A temporary refusal of the mail server is thrown
 * and retried.
 */
export async function notifyQuestion(ctx: Ctx, { message_id, ...key }: MessageNotice): Promise<void> {
  const [clinic, budget] = [await ctx.clinics.get(key.clinic_id), await findBudget(ctx.db, key)]
  if (!budget || budget.erased_at) return
  const author = budget.created_by && await ctx.users.email(budget.clinic_id, budget.created_by)
  const to = author || clinic.email
  if (!to) return
  const url = `${ctx.base_url}/budgets/${budget.id}`
  const mail = questionMessage({ clinic, number: budget.number, url })
  try {
    await sendToStaff(ctx, { to, id: message_id, ...mail }, { to: clinic.email, budget_id: budget.id })
  } catch (error) {
    if (!classifyFailure(error).is_final) throw error
    ctx.log.warn('notice.refused', { budget_id: budget.id, error })
  }
}
