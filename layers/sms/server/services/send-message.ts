import type { ChannelMessage, Clinic, Ctx, SentMessage, Tx } from '@svc/kit'
import type { ChannelName } from '../../shared/contract.ts'
import { countSegments } from '../../shared/domain/segments.ts'
import type { SmsSettings } from '../../shared/settings.ts'
import { release, reserve, todayIn } from '../db/days.ts'
import { noteAnswering, noteFailing } from '../db/failing.ts'
import { insertOrLock, markSent, updateMessage, type MessageRow } from '../db/messages.ts'
import { findStop, insertStop } from '../db/stops.ts'
import { providerOf } from '../providers/index.ts'
import { NotTaken, Refused, Unknown, type Provider } from '../providers/provider.ts'
import { settingsOf } from '../settings.ts'
import { ENDS_CHANNEL, explainError } from '../texts.ts'
import { macOf, macsOf } from './number-mac.ts'

/** What the channels send, and the test of the settings. */
export type Outgoing = Omit<ChannelMessage, 'kind'> & { kind: ChannelMessage['kind'] | 'test' }

interface Sending { channel: ChannelName, message: Outgoing, clinic: Clinic, settings: SmsSettings, provider: Provider }

/**
 * Sends a message once for its id, within the clinic's limit of the day. Throws `undeliverable` if it will never be
 * sent, and otherwise an error after which it is sent again.
 */
export async function sendMessage(ctx: Ctx, channel: ChannelName, message: Outgoing): Promise<SentMessage> {
  const { clinic_id } = message
  const [settings, clinic] = [await settingsOf(ctx, clinic_id), await ctx.clinics.get(clinic_id)]
  const sending: Sending = { channel, message, clinic, settings, provider: providerOf(settings) }
  const claim = await claimMessage(ctx, sending)
  if (claim.refused !== null)
    throw ctx.problem('undeliverable', { detail: explainError(claim.refused, clinic.locale), reason: claim.refused })
  if (claim.sent) return answerOf(claim.row)
  try {
    await handOver(ctx, sending, claim.uncertain_since)
  } catch (error) {
    throw await noteError(ctx, sending, { claim, error })
  }
  return answerOf({ id: message.id, via: sending.provider.via })
}

/** Reports name the message by our own id: the provider's name is unknown until it has answered. */
const answerOf = ({ id, via }: Pick<MessageRow, 'id' | 'via'>): SentMessage =>
  ({ ref: id, ...via === 'file' ? { via: 'file' as const } : {} })

interface Claim { row: MessageRow, sent: boolean, refused: string | null, uncertain_since: Date | null }

/** One transaction before the provider is called: the row, the stop of the number, and a place in the day's limit. */
async function claimMessage(ctx: Ctx, sending: Sending): Promise<Claim> {
  const { channel, message: { id, clinic_id, to, kind, text, recipient_id }, clinic, provider } = sending
  const { encoding, parts } = countSegments(text)
  return await ctx.db.transaction(async (tx) => {
    const day = await todayIn(tx, clinic.time_zone)
    const { row, is_new } = await insertOrLock(tx, {
      id, clinic_id, channel, kind, encoding, parts, day,
      via: provider.via,
      patient_id: recipient_id ?? null,
      number_mac: macOf(ctx, to)
    })
    if (row.clinic_id !== clinic_id || row.channel !== channel)
      throw new Error(`the message ${id} was sent for another clinic or channel`)
    const claim = { row, sent: false, refused: null, uncertain_since: null }
    if (row.state === 'refused') return { ...claim, refused: row.error ?? 'refused' }
    // With a name from the provider it was taken, even if the answer was lost and a report brought the name.
    if (row.ref !== null || ['sent', 'delivered', 'failed'].includes(row.state)) return { ...claim, sent: true }
    const is_uncertain = !is_new && row.state === 'sending'
    const refused = await findRefusal(ctx, tx, { ...sending, day, is_uncertain })
    if (refused !== null) {
      await updateMessage(tx, { clinic_id, id }, { state: 'refused', error: refused, day, via: provider.via })
      return { ...claim, refused }
    }
    if (is_uncertain) return { ...claim, uncertain_since: row.created_at }
    await updateMessage(tx, { clinic_id, id }, { state: 'sending', day, via: provider.via })
    return { ...claim, row: { ...row, day } }
  })
}

/** A message whose outcome is unknown has its place in the limit already. */
async function findRefusal(
  ctx: Ctx,
  tx: Tx,
  { channel, message: { clinic_id, to }, settings, day, is_uncertain }: Sending & { day: string, is_uncertain: boolean }
): Promise<string | null> {
  if (await findStop(tx, { clinic_id, channel, macs: macsOf(ctx, to) })) return 'stopped'
  if (is_uncertain) return null
  return await reserve(tx, { clinic_id, day }, settings.daily_limit) ? null : 'limit'
}

async function handOver(ctx: Ctx, sending: Sending, uncertain_since: Date | null): Promise<void> {
  const { channel, message: { id, clinic_id, to, text, url = null }, clinic, settings, provider } = sending
  const missing = provider.missing(settings, channel)
  if (missing) throw new NotTaken(missing)
  const { ref } = await provider.send(ctx, settings, {
    id, clinic_id, clinic: clinic.name, channel, to, text, url, uncertain_since
  })
  await markSent(ctx.db, { clinic_id, id }, ref)
  await noteAnswering(ctx.db, clinic_id)
}

/**
 * Returns the error to throw. While the provider may have the message, from this attempt or from an earlier one, it
 * keeps its state and its place in the limit.
 */
async function noteError(
  ctx: Ctx,
  sending: Sending,
  { claim: { row: { day }, uncertain_since }, error }: { claim: Claim, error: unknown }
): Promise<unknown> {
  const { channel, message: { id, clinic_id, to, recipient_id = null }, clinic } = sending
  if (error instanceof NotTaken && uncertain_since === null) {
    await ctx.db.transaction(async (tx) => {
      await updateMessage(tx, { clinic_id, id }, { state: 'waiting', error: error.error })
      await release(tx, { clinic_id, day })
    })
  }
  if (error instanceof NotTaken || error instanceof Unknown) {
    await noteFailing(ctx.db, { clinic_id, error: error.error })
    return error
  }
  if (!(error instanceof Refused)) return error
  await ctx.db.transaction(async (tx) => {
    await updateMessage(tx, { clinic_id, id }, { state: 'refused', error: error.error })
    await release(tx, { clinic_id, day })
    if (ENDS_CHANNEL.has(error.error))
      await insertStop(tx, { clinic_id, channel, number_mac: macOf(ctx, to), patient_id: recipient_id, cause: 'provider', error: error.error })
  })
  await noteAnswering(ctx.db, clinic_id)
  return ctx.problem('undeliverable', { detail: explainError(error.error, clinic.locale), reason: error.error })
}
