import { setTimeout as pause } from 'node:timers/promises'
import {
  isProblem, problem, type ChannelMessage, type ChannelQuery, type Channels, type ChannelState, type Ctx,
  type LocalText, type Readiness, type SentMessage
} from '@svc/kit'
import { assertCallsAllowed } from '../db/guarded/outgoing-calls.ts'
import type { Host } from '../host.ts'
import { withCircuitBreaker } from './circuit-breaker.ts'
import { toPlainLine } from './plain-line.ts'
import { expectReport } from './reports.ts'
import { registeredChannels, type Registered } from './registered.ts'
import { redactMessage } from './redact-message.ts'

/** A question that a page waits for. */
const ANSWER_MS = 5000
/** Longer than the time limits of a mail server together. */
const SEND_MS = 90_000
/** Characters of a `ref`, the provider's id of a message: an index holds at most 2,700 bytes. */
const MAX_REF = 500

/** Why a channel isn't ready whose module throws or doesn't answer. */
const BROKEN: LocalText = {
  en: 'This channel isn’t working right now.',
  es: 'Este canal no funciona en este momento.',
  fr: 'Ce canal ne fonctionne pas pour le moment.',
  de: 'Dieser Kanal funktioniert gerade nicht.',
  pt: 'Este canal não está a funcionar neste momento.',
  ar: 'هذه القناة لا تعمل حاليًا.'
}

/** What a module sees of all channels. `caller`: its context. */
export function createChannels(host: Host, caller: () => Ctx): Channels {
  const all = () => registeredChannels(host.registry, caller())
  const named = (name: string) => all().find(one => one.name === name)

  return {
    list: query => Promise.all(all().map(one => stateOf(host, one, query))),
    async find(name, query) {
      const one = named(name)
      return one ? await stateOf(host, one, query) : null
    },
    has: name => named(name) !== undefined,
    hide(name, address) {
      const one = named(name)
      return one ? hide(one, address) : hideAllButTheEnd(address)
    },
    async send(name, message, report) {
      assertCallsAllowed()
      const one = named(name)
      if (!one) throw problem('not_found', { detail: `No running module has the channel "${name}".` })
      const sent = await sendBy(one, message)
      const { module } = caller()
      if (report) await expectReport(host, { channel: name, ref: sent.ref, message, module, report })
      host.log.info('channel.sent', { channel: name, message_id: message.id, kind: message.kind })
      return sent
    }
  }
}

async function sendBy({ name, channel, ctx }: Registered, message: ChannelMessage): Promise<SentMessage> {
  const send = () => within(SEND_MS, () => channel.send(ctx, message), `the channel ${name} did not answer`)
  const sent = await withCircuitBreaker(channel, send).catch((error: unknown) => {
    if (isProblem(error) && typeof error.fields.detail === 'string') error.fields.detail = toPlainLine(error.fields.detail)
    throw redactMessage(error, message)
  })
  // The message was sent. An error about a `ref` that is missing or too long would send it again.
  const ref = typeof sent?.ref === 'string' && sent.ref !== '' && sent.ref.length <= MAX_REF ? sent.ref : message.id
  return { ref, ...sent?.via === 'file' ? { via: 'file' as const } : {} }
}

async function stateOf(host: Host, one: Registered, query: ChannelQuery): Promise<ChannelState> {
  const { name, channel } = one
  const { recipient, locale } = query
  const { readiness, address } = await ask(host, one, query)
  return {
    name,
    label: inLanguage(channel.label, locale) || name,
    short: channel.short === true,
    ready: readiness.ready,
    reason: readiness.ready ? null : inLanguage(readiness.reason, locale) || inLanguage(BROKEN, locale),
    address: recipient && address,
    hidden_address: recipient && address && hide(one, address)
  }
}

interface ChannelAnswer { readiness: Readiness, address: string | null }

/** A channel that throws must not break the page that lists it. */
async function ask(host: Host, { name, channel, ctx }: Registered, query: ChannelQuery): Promise<ChannelAnswer> {
  const { clinic_id, recipient } = query
  try {
    return await within(ANSWER_MS, async () => ({
      readiness: readinessOf(await channel.isReady(ctx, { clinic_id, recipient })),
      address: recipient && await findAddress(channel.addressOf(ctx, recipient))
    }), `the channel ${name} did not answer`)
  } catch (error) {
    host.log.warn('channel.not_ready', { channel: name, error })
    return { readiness: { ready: false, reason: BROKEN }, address: null }
  }
}

/** A module may be plain JavaScript, so nothing but `true` means that it is ready. */
const readinessOf = (answer: Readiness): Readiness =>
  answer?.ready === true ? { ready: true } : { ready: false, reason: answer?.reason ?? BROKEN }

async function findAddress(asked: ReturnType<Registered['channel']['addressOf']>): Promise<string | null> {
  const address = await asked
  return typeof address === 'string' && address.trim() !== '' ? address : null
}

function hide({ channel }: Registered, address: string): string {
  try {
    return channel.hides ? String(channel.hides(address)) : hideAllButTheEnd(address)
  } catch {
    return hideAllButTheEnd(address)
  }
}

/** `+34600112234` → `•••34`; a short one is hidden as a whole. */
const hideAllButTheEnd = (address: string) => `•••${[...address].length > 4 ? [...address].slice(-2).join('') : ''}`

/** The text in a language, otherwise in English, otherwise the first one. */
function inLanguage(text: LocalText | undefined, locale: string): string {
  if (typeof text === 'string') return text
  if (typeof text !== 'object' || text === null) return ''
  return String(text[locale] ?? text[locale.split('-')[0]!] ?? text.en ?? Object.values(text)[0] ?? '')
}

/** The work continues, but its caller no longer waits for it. */
async function within<T>(ms: number, work: () => Promise<T> | T, late: string): Promise<T> {
  const done = new AbortController()
  const limit = pause(ms, null, { signal: done.signal }).then(() => { throw new Error(`${late} within ${ms / 1000} s`) })
  limit.catch(() => {}) // aborted below
  try {
    return await Promise.race([(async () => await work())(), limit])
  } finally {
    done.abort()
  }
}
