import { isProblem, problem, type Ctx, type Problem } from '@svc/kit'
import type { Patient } from '@svc/kit/modules/clinical'
import { findChannel, listChannels, MANUAL } from '../../budget/channels.ts'

/** How a message reaches the patient. */
export interface Route {
  channel: string
  /** The channel's name for people. */
  label: string
  /** Null if staff hand the link over themselves. */
  to: string | null
  hidden_to: string | null
  short: boolean
}

const BY_HAND: Route = { channel: MANUAL, label: 'By hand', to: null, hidden_to: null, short: false }
const NO_ADDRESS = 'The patient has no address for this channel. Add one, or choose another channel.'

/**
 * The route, or why there is none: the caller throws that among its own reasons. Called before a transaction, because
 * other modules use another connection. Throws `validation_failed` for an unknown channel.
 */
export async function findRoute(
  ctx: Ctx,
  { channel, clinic_id, patient }: { channel: string, clinic_id: string, patient: Patient | null }
): Promise<Route | Problem> {
  if (channel === MANUAL) return BY_HAND
  const found = await findChannel(ctx, channel, { clinic_id, patient })
  if (!found) throw unknownChannel(await namesOf(ctx, clinic_id))
  const { label, ready, reason, short, address: to, hidden_address: hidden_to } = found
  if (!ready) return problem('channel_not_ready', { detail: reason!, channel })
  if (!to) return channel === 'email' ? problem('no_email') : problem('channel_not_ready', { detail: NO_ADDRESS, channel })
  return { channel, label, to, hidden_to, short }
}

export function assertRoute(found: Route | Problem): Route {
  if (isProblem(found)) throw found
  return found
}

const NO_OWN_MESSAGE = 'This channel’s texts are too short for a message of your own. Leave it out.'

export function assertMessageFits({ short }: Route, message: string | null | undefined): void {
  if (short && message) throw problem('validation_failed', { errors: [{ pointer: '/message', message: NO_OWN_MESSAGE }] })
}

const namesOf = async (ctx: Ctx, clinic_id: string) =>
  [...(await listChannels(ctx, { clinic_id, patient: null })).map(({ name }) => name), MANUAL]

const unknownChannel = (known: string[]) => problem('validation_failed', {
  errors: [{ pointer: '/channel', message: `Must be the name of a channel: ${known.join(', ')}.` }]
})
