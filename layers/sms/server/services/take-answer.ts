import type { Ctx } from '@svc/kit'
import type { ChannelName } from '../../shared/contract.ts'
import { isStop } from '../../shared/domain/stop-words.ts'
import { findPatientOf } from '../db/messages.ts'
import { insertStop } from '../db/stops.ts'
import { macOf, macsOf } from './number-mac.ts'
import { readNumber } from './read-number.ts'

interface Answer {
  clinic_id: string
  channel: ChannelName
  from: string
  text: string
  /** The provider's own finding. */
  is_stop?: boolean
}

/** A patient's answer: a stop word ends the channel for the number. Anything else is not kept. */
export async function takeAnswer(ctx: Ctx, { clinic_id, channel, from, text, is_stop }: Answer): Promise<void> {
  if (!is_stop && !isStop(text)) return
  const { country } = await ctx.clinics.get(clinic_id)
  // Gateways often leave out the plus sign.
  const number = (await readNumber(from, country)).number ?? (await readNumber(`+${from.replace(/\D/g, '')}`, country)).number
  if (number === null) return ctx.log.warn('sms.answer_unreadable', { clinic_id })
  const patient_id = await findPatientOf(ctx.db, { clinic_id, macs: macsOf(ctx, number) })
  await ctx.db.transaction(tx =>
    insertStop(tx, { clinic_id, channel, number_mac: macOf(ctx, number), patient_id, cause: 'answer', error: null }))
}
