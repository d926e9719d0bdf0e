import type { Ctx, Tx } from '@svc/kit'
import { findBudget } from '../../db/budgets.ts'
import { findLink, saveDelivery } from '../../db/links.ts'
import { answerMessage } from '../../mail/question-message.ts'
import { shortMessage } from '../../mail/short-message.ts'
import { classifyFailure } from '../../../shared/domain/delivery-error.ts'
import { findChannel, MANUAL } from '../budget/channels.ts'
import { findPatient } from '../budget/dependencies.ts'
import { linkUrl, shortUrl } from '../link/link-state.ts'
import { hasMoved, rememberAddress } from '../link/address/sent-to.ts'
import type { MessageNotice } from './notify-question.ts'

export const NOTIFY_ANSWER = 'notify-answer'

export async function queueAnswerNotice(ctx: Ctx, tx: Tx, notice: MessageNotice): Promise<void> {
  await ctx.jobs.add(tx, NOTIFY_ANSWER, { ...notice }, { key: `answer:${notice.id}` })
}

/**
 * The job: notifies the patient of an answer, with the current link, by the budget's channel, or by email if the staff
 * handed the link over. Without an address nothing is sent, as the staff's page says. If the address has changed since
 * the link was sent, nothing is sent either, and the budget needs attention until staff resend the link. Whatever is
 * temporary is thrown and retried.
 */
export async function notifyAnswer(ctx: Ctx, { message_id, ...key }: MessageNotice): Promise<void> {
  const budget = await findBudget(ctx.db, key)
  const link = budget && await findLink(ctx.db, budget.id)
  const url = linkUrl(ctx, link)
  if (!budget || !link || !url) return
  const { clinic_id, patient_first_name } = budget
  const [clinic, patient] = [await ctx.clinics.get(clinic_id), await findPatient(ctx, clinic_id, budget.patient_id)]
  const name = link.channel === null || link.channel === MANUAL ? 'email' : link.channel
  const channel = await findChannel(ctx, name, { clinic_id, patient })
  if (!channel) return ctx.log.warn('notice.no_channel', { budget_id: budget.id, channel: name })
  if (!channel.ready) throw new Error(`the channel ${name} is not ready: ${channel.reason}`)
  const to = channel.address
  if (!patient || !to) return
  if (await hasMoved(ctx, ctx.db, link, { channel: name, to, updated_at: patient.updated_at }))
    return await saveDelivery(ctx.db, { budget_id: budget.id }, { delivery_error: 'address_changed' })
  const locale = patient.locale ?? budget.locale
  const short_url = shortUrl(ctx, link) ?? url
  const written = channel.short
    ? { url: short_url, text: shortMessage({ locale, clinic, kind: 'answered', url: short_url }) }
    : { url, ...answerMessage({ locale, clinic, patient_first_name, url }) }
  try {
    await rememberAddress(ctx, ctx.db, { link, channel: name, to })
    const about = { id: message_id, clinic_id, to, recipient_id: patient.id, locale, kind: 'notice' as const }
    await ctx.channels.send(name, { ...about, ...written })
  } catch (error) {
    if (!classifyFailure(error).is_final) throw error
    ctx.log.warn('notice.refused', { budget_id: budget.id, error })
  }
}
