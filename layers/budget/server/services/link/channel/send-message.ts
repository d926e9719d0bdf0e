import type { ChannelMessage, ChannelState, Ctx, ReportTo, SentMessage } from '@svc/kit'
import { randomUUID } from 'node:crypto'
import { saveDelivery, type LinkRow } from '../../../db/links.ts'
import { classifyFailure, type Failure } from '../../../../shared/domain/delivery-error.ts'
import { rememberAddress } from '../address/sent-to.ts'
import type { WrittenLink } from './write-link.ts'

export interface Message extends WrittenLink {
  budget_id: string
  /** Missing in jobs of an earlier release. */
  message_id: string | undefined
  link: LinkRow
  channel: ChannelState
  to: string
  patient_id: string
  kind: ChannelMessage['kind']
  report: ReportTo
}

/** Sends by the link's channel, and stores the result. Throws what is not final, so that the job is retried. */
export async function sendMessage(ctx: Ctx, message: Message): Promise<void> {
  const { budget_id, message_id, link, channel, to, patient_id, report } = message
  const { kind, locale, text, url, subject, html } = message
  const at = { budget_id, message_id }
  const id = message_id ?? randomUUID()
  const { clinic_id } = link
  const about = { id, clinic_id, to, recipient_id: patient_id, locale, kind }
  const letter = { ...about, text, url, ...subject ? { subject } : {}, ...html ? { html } : {} }
  await rememberAddress(ctx, ctx.db, { link, channel: channel.name, to })
  let sent: SentMessage
  try {
    sent = await ctx.channels.send(channel.name, letter, report)
  } catch (error) {
    const { code, reason, is_final } = failureOf(channel.name, error)
    await saveDelivery(ctx.db, at, { delivery: 'failed', delivery_error: code, delivery_reason: reason })
    if (!is_final) throw error
    ctx.log.warn('link.refused', { budget_id, channel: channel.name, error })
    return
  }
  await saveDelivery(ctx.db, at, {
    delivery: 'sent',
    delivery_error: null,
    delivered_at: await ctx.clock.now(),
    delivered_via: sent.via ?? (channel.name === 'email' ? 'smtp' : null)
  })
}

/** The words about a mail server are true of email only. */
function failureOf(channel: string, error: unknown): Failure {
  const failure = classifyFailure(error)
  return channel !== 'email' && !failure.is_final ? { ...failure, code: 'other' } : failure
}
