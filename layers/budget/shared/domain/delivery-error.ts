export const DELIVERY_ERRORS = [
  'no_email',
  'address_changed',
  'address_refused',
  'message_refused',
  'server_unreachable',
  'server_refused',
  'other'
] as const
export type DeliveryError = typeof DELIVERY_ERRORS[number]

/** Sentences for staff, without the mail server's own text, which names hosts and accounts. */
const SENTENCES: Record<DeliveryError, string> = {
  no_email: 'The patient has no email address. Add one, or hand over the link yourself.',
  address_changed:
    'The patient\'s email address changed after this link was sent, so nothing was sent. Resend it to confirm the address.',
  address_refused: 'The patient\'s email address was refused. Check it, or hand over the link yourself.',
  message_refused: 'The mail server refused this message. Hand over the link yourself.',
  server_unreachable:
    'Can’t reach the mail server. We keep trying; you can hand over the link yourself.',
  server_refused:
    'The mail server doesn’t accept messages right now. We keep trying; you can hand over the link yourself.',
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
 * The error of a mail library: `code` and `command` are nodemailer's, `responseCode` is the server's reply (RFC 5321
 * 4.2.1).
 */
interface Thrown { code?: unknown, command?: unknown, responseCode?: unknown }

const UNREACHABLE = /^(?:ECONNECTION|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EDNS|ENOTFOUND|EHOSTUNREACH|ESOCKET|ETLS)$/

/**
 * `is_final`: a retry would fail in the same way. A refused sender is not final, because the operator can correct it.
 */
export function classifyFailure(error: unknown): { code: DeliveryError, is_final: boolean } {
  const { code, command, responseCode } = (typeof error === 'object' && error !== null ? error : {}) as Thrown
  const isRefused = typeof responseCode === 'number' && responseCode >= 500
  if (isRefused && command === 'RCPT TO') return { code: 'address_refused', is_final: true }
  if (isRefused && command === 'DATA') return { code: 'message_refused', is_final: true }
  if (typeof responseCode === 'number' || code === 'EAUTH') return { code: 'server_refused', is_final: false }
  return { code: UNREACHABLE.test(String(code)) ? 'server_unreachable' : 'other', is_final: false }
}
