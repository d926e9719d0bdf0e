import type { Ctx, Tx } from '@svc/kit'
import { findBudget } from '../../db/budgets.ts'
import { findLink, saveDelivery } from '../../db/links.ts'
import { answerMessage } from '../../mail/question-message.ts'
import { classifyFailure } from '../../../shared/domain/delivery-error.ts'
import { findPatient } from '../budget/dependencies.ts'
import { linkUrl } from '../link/link-state.ts'
import { hasMoved } from '../link/address/sent-to.ts'
import type { MessageNotice } from './notify-question.ts'

export const NOTIFY_ANSWER = 'notify-answer'

export async function queueAnswerNotice(ctx: Ctx, tx: Tx, notice: MessageNotice): Promise<void> {
  await ctx.jobs.add(tx, NOTIFY_ANSWER, { ...notice }, { key: `answer:${notice.id}` })
}

/**
 * The job: notifies the patient of an answer, with the current link. Without an address nothing is sent, as the staff's
 * page says. If the address has changed since the link was sent, nothing is sent either, and the budget needs attention
 * until staff resend the link. A temporary refusal of the mail server is thrown and retried.
 */
export async function notifyAnswer(ctx: Ctx, { message_id, ...key }: MessageNotice): Promise<void> {
  const budget = await findBudget(ctx.db, key)
  const link = budget && await findLink(ctx.db, budget.id)
  const url = linkUrl(ctx, link)
  if (!budget || !url) return
  const [clinic, patient] = [
    await ctx.clinics.get(budget.clinic_id),
    await findPatient(ctx, budget.clinic_id, budget.patient_id)
  ]
  if (!patient?.email) return
  if (hasMoved(ctx, link, patient))
    return await saveDelivery(ctx.db, { budget_id: budget.id }, { delivery_error: 'address_changed' })
  const mail = answerMessage({
    locale: patient.locale ?? budget.locale,
    clinic,
    patient_first_name: budget.patient_first_name,
    url
  })
  try {
    const reply = clinic.email ? { reply_to: clinic.email } : {}
    await ctx.mail.send({ to: patient.email, id: message_id, ...mail, ...reply })
  } catch (error) {
    if (!classifyFailure(error).is_final) throw error
    ctx.log.warn('notice.refused', { budget_id: budget.id, error })
  }
}
