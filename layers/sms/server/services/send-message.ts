import type { ChannelMessage, Clinic, Ctx, SentMessage, Tx } from '@svc/kit'
import type { ChannelName } from '../../shared/contract.ts'
import { countSegments } from '../../shared/domain/segments.ts'
import type { SmsSettings } from '../../shared/settings.ts'
import { release, reserve, todayIn } from '../db/days.ts'
import { noteAnswering, noteFailing } from '../db/failing.ts'
import { abandonMessage, insertOrLock, markSent, updateMessage, type MessageRow } from '../db/messages.ts'
import { findStop, insertStop } from '../db/stops.ts'
import { providerOf } from '../providers/index.ts'
import { NotTaken, Refused, Unknown, type Provider } from '../providers/provider.ts'
import { settingsOf } from '../settings.ts'
import { ENDS_CHANNEL, explainError } from '../texts.ts'
import { macOf, macsOf } from './number-mac.ts'

/** What the channels send, and the test of the settings. */
export type Outgoing = Omit<ChannelMessage, 'kind'> & { kind: ChannelMessage['kind'] | 'test' }

/** Calls without an answer, after which a message that the provider can't be asked about is not sent again. */
const MAX_UNCONFIRMED = 3

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
    await handOver(ctx, sending, claim)
  } catch (error) {
    throw await noteError(ctx, sending, { claim, error })
  }
  return answerOf({ id: message.id, via: sending.provider.via })
}

/** Reports name the message by our own id: the provider's name is unknown until it has answered. */
const answerOf = ({ id, via }: Pick<MessageRow, 'id' | 'via'>): SentMessage =>
  ({ ref: id, ...via === 'file' ? { via: 'file' as const } : {} })

interface Claim {
  row: MessageRow
  sent: boolean
  refused: string | null
  uncertain_since: Date | null
  /** Against whose limit this call counts. */
  day: string
  /** The calls whose outcome is unknown, with this one, if the provider can't be asked about them. */
  unconfirmed: number
}

/** One transaction before the provider is called: the row, the stop of the number, and a place in the day's limit. */
async function claimMessage(ctx: Ctx, sending: Sending): Promise<Claim> {
  const { channel, message, clinic, settings, provider } = sending
  const { id, clinic_id, to, kind, text, url = null, recipient_id } = message
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
    const claim: Claim = { row, sent: false, refused: null, uncertain_since: null, day, unconfirmed: 0 }
    if (row.state === 'refused' || isAbandoned(row)) return { ...claim, refused: row.error ?? 'refused' }
    // With a name from the provider it was taken, even if the answer was lost and a report brought the name.
    if (row.ref !== null || ['sent', 'delivered', 'failed'].includes(row.state)) return { ...claim, sent: true }
    const uncertain_since = !is_new && row.state === 'sending' ? row.created_at : null
    const canFind = provider.canFind(settings, { channel, url })
    // A message that the provider can be asked about has its place in the limit already.
    const isCounted = uncertain_since === null || !canFind
    const refused = await findRefusal(ctx, tx, { ...sending, row, day, isCounted })
    if (refused !== null) {
      const state = uncertain_since === null ? 'refused' : 'failed'
      await updateMessage(tx, { clinic_id, id }, { state, error: refused, day })
      return { ...claim, refused }
    }
    if (!isCounted) return { ...claim, uncertain_since, day: row.day }
    const unconfirmed = canFind ? 0 : row.unconfirmed + 1
    await updateMessage(tx, { clinic_id, id }, { state: 'sending', day, via: provider.via, unconfirmed })
    return { ...claim, uncertain_since, unconfirmed }
  })
}

/** Of a message that may have arrived, but is not sent again: no report has said that it failed. */
const isAbandoned = ({ state, sent_at }: MessageRow): boolean => state === 'failed' && sent_at === null

/** Each counted call takes a place in the day's limit. */
async function findRefusal(
  ctx: Ctx,
  tx: Tx,
  { channel, message: { clinic_id, to }, settings, row: { unconfirmed }, day, isCounted }:
  Sending & Pick<Claim, 'row' | 'day'> & { isCounted: boolean }
): Promise<string | null> {
  if (await findStop(tx, { clinic_id, channel, macs: macsOf(ctx, to) })) return 'stopped'
  if (!isCounted) return null
  if (unconfirmed >= MAX_UNCONFIRMED) return 'unconfirmed'
  return await reserve(tx, { clinic_id, day }, settings.daily_limit) ? null : 'limit'
}

async function handOver(ctx: Ctx, sending: Sending, { uncertain_since }: Claim): Promise<void> {
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
 * keeps its state and the places of those attempts in the limit.
 */
async function noteError(
  ctx: Ctx,
  sending: Sending,
  { claim: { day, uncertain_since, unconfirmed }, error }: { claim: Claim, error: unknown }
): Promise<unknown> {
  const { channel, message: { id, clinic_id, to, recipient_id = null }, clinic } = sending
  const explain = (reason: string) =>
    ctx.problem('undeliverable', { detail: explainError(reason, clinic.locale), reason })
  if (error instanceof NotTaken && (uncertain_since === null || unconfirmed > 0)) {
    await ctx.db.transaction(async (tx) => {
      await updateMessage(tx, { clinic_id, id }, {
        ...uncertain_since === null ? { state: 'waiting', error: error.error } : {},
        unconfirmed: Math.max(0, unconfirmed - 1)
      })
      await release(tx, { clinic_id, day })
    })
  }
  if (error instanceof NotTaken || error instanceof Unknown)
    await noteFailing(ctx.db, { clinic_id, error: error.error })
  if (error instanceof Unknown && unconfirmed >= MAX_UNCONFIRMED
    && await abandonMessage(ctx.db, { clinic_id, id }, 'unconfirmed')) return explain('unconfirmed')
  if (!(error instanceof Refused)) return error
  await ctx.db.transaction(async (tx) => {
    await updateMessage(tx, { clinic_id, id }, { state: 'refused', error: error.error })
    await release(tx, { clinic_id, day })
    if (ENDS_CHANNEL.has(error.error))
      await insertStop(tx, { clinic_id, channel, number_mac: macOf(ctx, to), patient_id: recipient_id, cause: 'provider', error: error.error })
  })
  await noteAnswering(ctx.db, clinic_id)
  return explain(error.error)
}
