import { problem, type Channel } from '@svc/kit'

/** The host's own channel, written like a module's. */
export const email: Channel = {
  label: { en: 'Email', es: 'Correo electrónico', fr: 'E-mail', de: 'E-Mail', pt: 'E-mail', ar: 'البريد الإلكتروني' },

  isReady: () => ({ ready: true }),

  addressOf: (_ctx, { email: address }) => address,

  async send(ctx, { id, clinic_id, to, text, subject = '', html }) {
    const { email: reply_to } = await ctx.clinics.get(clinic_id)
    const message = { to, id, subject, text, ...html ? { html } : {}, ...reply_to ? { reply_to } : {} }
    const sent = await ctx.mail.send(message).catch(explain)
    return { ref: sent.id, ...sent.via === 'file' ? { via: sent.via } : {} }
  },

  hides(address) {
    const at = address.lastIndexOf('@')
    return `${[...address.slice(0, Math.max(at, 0))][0] ?? ''}•••${at < 0 ? '' : address.slice(at)}`
  }
}

/**
 * `command` is nodemailer's, `responseCode` is the server's reply (RFC 5321 4.2.1). A refused sender is not final,
 * because the operator can correct it.
 */
interface Refusal { command?: unknown, responseCode?: unknown }

const FINAL: Record<string, { reason: string, detail: string }> = {
  'RCPT TO': { reason: 'address_refused', detail: 'The mail server refused the address.' },
  'DATA': { reason: 'message_refused', detail: 'The mail server refused the message.' }
}

/** `reason` is for callers that have words of their own for it. */
function explain(error: unknown): never {
  const { command, responseCode } = (typeof error === 'object' && error !== null ? error : {}) as Refusal
  const final = typeof responseCode === 'number' && responseCode >= 500 ? FINAL[String(command)] : undefined
  throw final ? Object.assign(problem('undeliverable', final), { cause: error }) : error
}
