import { isProblem, type Ctx } from '@svc/kit'
import type { Twilio } from 'twilio'
import type { SmsSettings } from '../../shared/settings.ts'
import { statusAddress } from '../services/report-address.ts'
import { toSendError } from './outgoing-error.ts'
import { NotTaken, Refused, Unknown, type Connection, type Known, type Order, type Provider } from './provider.ts'

const TIMEOUT_MS = 8000
const MAX_BYTES = 500_000
/** Of the newest messages to a number, among which one with an unknown outcome is looked for. */
const LOOK_BACK = 20
/** Twilio's clock and ours. */
const CLOCK_SKEW_MS = 60_000

/** Wrong key, no money, too many calls and the like: the account's, not the message's. */
const ACCOUNT_ERRORS = new Set([
  20003, 20005, 20006, 20404, 20429, 21212, 21408, 21606, 21612, 21659, 21660, 21661, 21703, 21705, 63007, 63038
])

export const twilio: Provider = {
  via: 'twilio',

  missing({ twilio_account, twilio_token, twilio_sender, twilio_whatsapp }, channel) {
    if (twilio_account === null || twilio_token === null) return 'twilio_incomplete'
    if (channel === 'whatsapp') return twilio_whatsapp === null ? 'no_whatsapp' : null
    return twilio_sender === null ? 'twilio_incomplete' : null
  },

  canFind: (settings, order) => !isTemplate(settings, order),

  async send(ctx, settings, order) {
    const client = await open(ctx, settings)
    if (order.uncertain_since !== null && !isTemplate(settings, order)) {
      const ref = await run(() => findTaken(client, order))
      if (ref) return { ref }
    }
    const { sid } = await run(() => client.messages.create({
      to: addressOf(order),
      ...senderOf(settings, order),
      ...contentOf(settings, order),
      statusCallback: statusAddress(ctx, order)
    }))
    return { ref: sid }
  },

  async test(ctx, settings): Promise<Connection> {
    const client = await open(ctx, settings)
    try {
      const { status } = await run(() => client.api.v2010.accounts(settings.twilio_account!).fetch())
      return String(status) === 'active'
        ? { ok: true, code: 'connected', detail: null }
        : { ok: false, code: 'inactive', detail: String(status) }
    } catch (error) {
      return explain(error)
    }
  },

  async ask(ctx, settings, ref): Promise<Known | null> {
    const client = await open(ctx, settings)
    const { status, errorCode, price, priceUnit } = await run(() => client.messages(ref).fetch())
    return {
      state: stateOf(status),
      error: errorCode === null || errorCode === undefined ? null : String(errorCode),
      price: price ? toMillionths(price) : null,
      price_currency: price ? priceUnit?.toUpperCase() ?? null : null
    }
  }
}

/** Of Twilio's words for a message; null for one that is on its way. */
export function stateOf(status: string | undefined): 'delivered' | 'failed' | null {
  if (status === 'delivered' || status === 'read') return 'delivered'
  return status === 'undelivered' || status === 'failed' || status === 'canceled' ? 'failed' : null
}

const addressOf = ({ channel, to }: Order) => channel === 'whatsapp' ? `whatsapp:${to}` : to

function senderOf({ twilio_sender, twilio_whatsapp }: SmsSettings, { channel }: Order) {
  if (channel === 'whatsapp') return { from: `whatsapp:${twilio_whatsapp}` }
  return twilio_sender!.startsWith('MG') ? { messagingServiceSid: twilio_sender! } : { from: twilio_sender! }
}

/** WhatsApp takes the first message to a person only as an approved template. */
const contentOf = (settings: SmsSettings, order: Order) => isTemplate(settings, order)
  ? { contentSid: settings.twilio_template!, contentVariables: JSON.stringify({ 1: order.clinic, 2: order.url }) }
  : { body: order.text }

const isTemplate = ({ twilio_template }: SmsSettings, { channel, url }: Pick<Order, 'channel' | 'url'>): boolean =>
  channel === 'whatsapp' && twilio_template !== null && url !== null

/** Twilio has no idempotency key: a message of an attempt without an answer is found by its number, text and time. */
async function findTaken(client: Twilio, order: Order): Promise<string | null> {
  const since = order.uncertain_since!.getTime() - CLOCK_SKEW_MS
  const newest = await client.messages.list({ to: addressOf(order), limit: LOOK_BACK, pageSize: LOOK_BACK })
  // A trial account puts words of its own before the text.
  const found = newest.find(({ body, dateCreated }) => body.endsWith(order.text) && dateCreated.getTime() >= since)
  return found?.sid ?? null
}

/** Decimal text such as `-0.00750` → 7500n. */
function toMillionths(price: string): bigint {
  const [, whole = '0', fraction = ''] = /^-?(\d+)(?:\.(\d+))?$/.exec(price) ?? []
  return BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, '0').slice(0, 6))
}

/** The library is loaded with the first message. Its calls are the host's, so that the host's rules hold for them. */
async function open(ctx: Ctx, { twilio_account, twilio_token, twilio_url }: SmsSettings): Promise<Twilio> {
  const { default: createClient } = await import('twilio')
  type Options = NonNullable<Parameters<typeof createClient>[2]>
  const httpClient = createHttpClient(ctx, twilio_url) as unknown as NonNullable<Options['httpClient']>
  return createClient(twilio_account!, twilio_token!, { httpClient })
}

interface LibraryCall {
  method: string
  uri: string
  username?: string
  password?: string
  headers?: Record<string, string>
  params?: Record<string, unknown>
  data?: Record<string, unknown>
}

/** The part of Twilio's RequestClient that its API calls use. */
function createHttpClient(ctx: Ctx, base: string) {
  return {
    async request({ method, uri, username, password, headers = {}, params, data }: LibraryCall) {
      const { pathname, search } = new URL(uri)
      const url = new URL(pathname + search, base)
      for (const [name, value] of pairsOf(params)) url.searchParams.append(name, value)
      const basic = Buffer.from(`${username}:${password}`).toString('base64')
      const { status, headers: answered, bytes } = await ctx.http.fetch(url.href, {
        method,
        headers: { ...headers, Authorization: `Basic ${basic}` },
        ...data ? { body: new URLSearchParams(pairsOf(data)).toString() } : {},
        timeout_ms: TIMEOUT_MS,
        max_bytes: MAX_BYTES
      })
      return { statusCode: status, body: new TextDecoder().decode(bytes), headers: answered }
    }
  }
}

const pairsOf = (values: Record<string, unknown> = {}): [string, string][] =>
  Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((one): [string, string] => [name, String(one)]))

/** The library's error has the status and Twilio's number; its message may quote the number that was called. */
interface LibraryError { status?: unknown, code?: unknown }

async function run<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw isProblem(error) ? toSendError(error) : toTwilioError(error)
  }
}

function toTwilioError(error: unknown): Error {
  const { status, code } = (typeof error === 'object' && error !== null ? error : {}) as LibraryError
  if (typeof status !== 'number') return new Unknown('unreadable')
  const number = String(typeof code === 'number' ? code : status)
  if (status >= 500) return new Unknown(number)
  const isAccount = [401, 403, 404, 429].includes(status) || ACCOUNT_ERRORS.has(Number(number))
  return isAccount || typeof code !== 'number' ? new NotTaken(number) : new Refused(number)
}

const NOT_ALLOWED = ['host', 'not_https', 'private_address']

function explain(error: unknown): Connection {
  if (!(error instanceof NotTaken || error instanceof Unknown || error instanceof Refused)) throw error
  const { error: detail } = error
  if (detail === '20003' || detail === '401') return { ok: false, code: 'wrong_key', detail }
  if (detail === '20404' || detail === '404') return { ok: false, code: 'wrong_key', detail }
  if (NOT_ALLOWED.includes(detail)) return { ok: false, code: 'not_allowed', detail }
  return { ok: false, code: /^\d+$/.test(detail) ? 'provider_error' : 'unreachable', detail }
}
