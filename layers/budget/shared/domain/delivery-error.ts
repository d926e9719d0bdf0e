import { isProblem, type Problem } from '@svc/kit'

export const DELIVERIES = ['none', 'queued', 'sent', 'delivered', 'failed'] as const
export type Delivery = typeof DELIVERIES[number]

/** `undeliverable`: the channel refused it for ever. `not_delivered`: its provider reported that it did not arrive. */
export const DELIVERY_ERRORS = [
  'no_email',
  'no_address',
  'address_changed',
  'address_refused',
  'message_refused',
  'server_unreachable',
  'server_refused',
  'undeliverable',
  'not_delivered',
  'channel_not_ready',
  'channel_missing',
  'other'
] as const
export type DeliveryError = typeof DELIVERY_ERRORS[number]

/** Sentences for staff, without the mail server's own text, which names hosts and accounts. */
const SENTENCES: Record<DeliveryError, string> = {
  no_email: 'The patient has no email address. Add one, or hand over the link yourself.',
  no_address: 'The patient has no address for this channel. Add one, or hand over the link yourself.',
  address_changed:
    'The patient\'s address changed after this link was sent, so nothing was sent. Resend it to confirm the address.',
  address_refused: 'The patient\'s email address was refused. Check it, or hand over the link yourself.',
  message_refused: 'The mail server refused this message. Hand over the link yourself.',
  server_unreachable:
    'Can’t reach the mail server. We keep trying; you can hand over the link yourself.',
  server_refused:
    'The mail server doesn’t accept messages right now. We keep trying; you can hand over the link yourself.',
  undeliverable: 'The message can’t be delivered to this address. Check it, or hand over the link yourself.',
  not_delivered: 'The message did not arrive. Check the address, or hand over the link yourself.',
  channel_not_ready: 'The channel isn’t ready. We keep trying; you can hand over the link yourself.',
  channel_missing:
    'The channel was removed from this service. Resend the link by another one, or hand it over yourself.',
  other: 'The message could not be sent. We keep trying; you can hand over the link yourself.'
}

/** Rows of an earlier release contain other text. */
export function showDeliveryError(stored: string | null): {
  delivery_error: string | null
  delivery_error_code: DeliveryError | null
} {
  if (stored === null) return { delivery_error: null, delivery_error_code: null }
  const code = DELIVERY_ERRORS.find(known => known === stored) ?? 'other'
  return { delivery_error: SENTENCES[code], delivery_error_code: code }
}

/**
 * The error of a channel, or of a mail library: `command` is nodemailer's, `responseCode` is the server's reply (RFC
 * 5321 4.2.1).
 */
interface Thrown { code?: unknown, command?: unknown, responseCode?: unknown }

const UNREACHABLE = /^(?:ECONNECTION|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EDNS|ENOTFOUND|EHOSTUNREACH|ESOCKET|ETLS)$/

/** `reason`: the channel's own words. `is_final`: a retry would fail in the same way. */
export interface Failure { code: DeliveryError, reason: string | null, is_final: boolean }

/** A refused sender is not final, because the operator can correct it. */
export function classifyFailure(error: unknown): Failure {
  if (isProblem(error)) return classifyProblem(error)
  const { code, command, responseCode } = (typeof error === 'object' && error !== null ? error : {}) as Thrown
  const isRefused = typeof responseCode === 'number' && responseCode >= 500
  const failure = (code: DeliveryError, is_final = false): Failure => ({ code, reason: null, is_final })
  if (isRefused && command === 'RCPT TO') return failure('address_refused', true)
  if (isRefused && command === 'DATA') return failure('message_refused', true)
  if (typeof responseCode === 'number' || code === 'EAUTH') return failure('server_refused')
  return failure(UNREACHABLE.test(String(code)) ? 'server_unreachable' : 'other')
}

/** The host's email has codes of its own; every other channel has words. */
function classifyProblem({ code, fields }: Problem): Failure {
  const { reason } = fields
  const detail = fields.detail ?? null
  if (code !== 'undeliverable') return { code: 'other', reason: detail, is_final: false }
  const known = DELIVERY_ERRORS.find(one => one === reason)
  return known
    ? { code: known, reason: null, is_final: true }
    : { code: 'undeliverable', reason: detail, is_final: true }
}
