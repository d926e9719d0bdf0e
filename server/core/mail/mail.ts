import { randomBytes } from 'node:crypto'
import path from 'node:path'
import type { Ctx, Logger, MailMessage } from '@svc/kit'
import { toAsciiEmail } from '@svc/kit/addresses'
import type { Config } from '../config.ts'
import { placeNew } from '../files/place-new.ts'
import { makePrivate } from '../files/private-folders.ts'
import { loadOnce } from '../load-once.ts'
import { toTransportUrl } from '../mail-url.ts'

/**
 * Sends by SMTP if configured, otherwise writes `.eml` files to `<storage>/outbox`. Throws if the server refuses; jobs
 * retry. `now` dates the messages.
 */
export function createMail(
  config: Pick<Config, 'smtp_url' | 'mail_from' | 'storage' | 'base_url'>,
  log: Logger,
  now: () => Promise<Date>
): Ctx['mail'] {
  const host = new URL(config.base_url).hostname
  const unlessSilent = createGate()
  const transport = config.smtp_url ? loadOnce(() => openTransport(config.smtp_url!)) : null

  return {
    async send(message) {
      const id = `<${message.id ?? randomBytes(16).toString('hex')}@${host}>`
      const envelope = toEnvelope(message, { from: config.mail_from, messageId: id, date: await now() })
      const via = transport ? 'smtp' : 'file'
      if (transport) {
        const { sendMail } = await transport()
        await unlessSilent(() => sendMail(envelope))
      } else {
        await writeEml(config, envelope)
      }
      log.info('mail.sent', { via, message_id: id })
      return { via, id }
    }
  }
}

type Envelope = ReturnType<typeof toEnvelope>

function toEnvelope(message: MailMessage, head: { from: string, messageId: string, date: Date }) {
  return {
    ...head,
    to: { name: '', address: toAsciiEmail(message.to) ?? message.to }, // one address, whatever it contains
    replyTo: message.reply_to && (toAsciiEmail(message.reply_to) ?? message.reply_to),
    subject: message.subject,
    text: message.text,
    html: message.html,
    headers: { 'Auto-Submitted': 'auto-generated' },
    // The texts are ours, but the names in them are not: nothing in a message may open a file or a URL.
    disableFileAccess: true,
    disableUrlAccess: true
  }
}

/** Loaded with the first message, so that no start waits for it. */
async function openTransport(url: string) {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport(toTransportUrl(url))
  return { sendMail: (envelope: Envelope) => transport.sendMail(envelope).catch(explainTls) }
}

/** nodemailer's own messages do not say what an operator can do. Its codes, which identify the failure, are kept. */
function explainTls(error: unknown): never {
  if (error instanceof Error && (error as { code?: string }).code === 'ETLS') {
    error.message = `TLS with the mail server failed, so nothing was sent: ${error.message}. Use smtps://, or allow plain text by ?tls=never in SVC_SMTP_URL.`
  }
  throw error
}

const SILENCE_MS = 10_000
/** Longer than the time limits of one message together. */
const ATTEMPT_TIMEOUT_MS = 60_000

/**
 * A server that accepts connections but never answers costs each message its time limit, and blocks a worker that PDFs
 * and events need. So after one such failure, only one message at a time is sent. All others fail at once with the same
 * error, and are retried.
 */
function createGate() {
  let silent: { until: number, error: unknown } | null = null

  return async function pass<T>(send: () => Promise<T>): Promise<T> {
    if (silent && performance.now() < silent.until) throw silent.error
    if (silent) silent.until = performance.now() + ATTEMPT_TIMEOUT_MS // only this message is sent meanwhile
    try {
      const sent = await send()
      silent = null
      return sent
    } catch (error) {
      silent = isSilence(error) ? { until: performance.now() + SILENCE_MS, error } : null
      throw error
    }
  }
}

/** nodemailer's codes for a timeout without any answer. */
const isSilence = (error: unknown) => ['ETIMEDOUT', 'EDNS'].includes((error as { code?: string } | null)?.code ?? '')

async function writeEml({ storage }: Pick<Config, 'storage'>, envelope: Envelope): Promise<void> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer/index.js')
  const bytes = await new MailComposer(envelope).compile().build()
  const folder = path.join(storage, 'outbox')
  await makePrivate(storage, folder)
  const name = `${envelope.date.toISOString().replace(/[:.]/g, '-')}-${randomBytes(4).toString('hex')}.eml`
  if (!await placeNew(path.join(folder, name), bytes)) throw new Error(`${name} is taken`)
}
