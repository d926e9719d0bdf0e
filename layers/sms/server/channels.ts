import type { Channel, Ctx, LocalText, Readiness, Recipient } from '@svc/kit'
import type { ChannelName } from '../shared/contract.ts'
import { countOf, todayIn } from './db/days.ts'
import { findStop } from './db/stops.ts'
import { providerOf } from './providers/index.ts'
import { macsOf } from './services/number-mac.ts'
import { readNumber } from './services/read-number.ts'
import { sendMessage } from './services/send-message.ts'
import { settingsOf } from './settings.ts'
import { LABELS, textOf, type Reason } from './texts.ts'

/** Why a message can't be sent; null if it can. */
export async function findObstacle(
  ctx: Ctx,
  { channel, clinic_id, recipient }: { channel: ChannelName, clinic_id: string, recipient: Recipient | null }
): Promise<Reason | null> {
  const settings = await settingsOf(ctx, clinic_id)
  const missing = providerOf(settings).missing(settings, channel)
  if (missing) return missing
  const { country, time_zone } = await ctx.clinics.get(clinic_id)
  if (recipient) {
    const { number, reason } = await readNumber(recipient.phone, country)
    if (number === null) return reason
    if (await findStop(ctx.db, { clinic_id, channel, macs: macsOf(ctx, number) })) return 'stopped'
  }
  const { sent } = await countOf(ctx.db, { clinic_id, day: await todayIn(ctx.db, time_zone) })
  return sent >= settings.daily_limit ? 'limit' : null
}

function createChannel(channel: ChannelName): Channel {
  const label: LocalText = LABELS[channel]
  return {
    label,
    short: true,
    async isReady(ctx, { clinic_id, recipient }): Promise<Readiness> {
      const reason = await findObstacle(ctx, { channel, clinic_id, recipient })
      return reason ? { ready: false, reason: textOf(reason) } : { ready: true }
    },
    async addressOf(ctx, { clinic_id, phone }) {
      const { country } = await ctx.clinics.get(clinic_id)
      return (await readNumber(phone, country)).number
    },
    send: (ctx, message) => sendMessage(ctx, channel, message),
    hides: hideNumber
  }
}

/** `+34600112234` → `•••34`. */
export const hideNumber = (number: string): string => `•••${number.slice(-2)}`

export const channels: Record<ChannelName, Channel> = {
  sms: createChannel('sms'),
  whatsapp: createChannel('whatsapp')
}
