import type { Ctx } from '../context.ts'
import type { AnyTx, Json } from '../database.ts'

/** A text for people: the same in every language, or by language: `{ en: 'Pigeon', es: 'Paloma' }`. */
export type LocalText = string | Record<string, string>

/** The person to reach, as the calling module knows them. A channel picks what it needs. */
export interface Recipient {
  clinic_id: string
  /** The id of the person's record. */
  id: string
  email: string | null
  /** As the clinic typed it, in Latin digits: may have blanks, brackets or an extension, and no country code. */
  phone: string | null
  /** `en`, `es`, `fr`, `de`, `pt` or `ar`; null if unknown. */
  locale: string | null
}

export type MessageKind = 'link' | 'reminder' | 'code' | 'notice'

/** One message, as a channel sends it. */
export interface ChannelMessage {
  /**
   * A UUID: the idempotency key. After a crash or an error the same message comes again with the same id, and must
   * reach the person once.
   */
  id: string
  clinic_id: string
  /** The address that `addressOf` returned. */
  to: string
  /** The id of the person's record, as in `Recipient`, so that a channel finds a person's messages again. */
  recipient_id?: string
  /** The language of the text: `en`, `es`, `fr`, `de`, `pt` or `ar`. */
  locale: string
  kind: MessageKind
  /** The whole message in plain text, including `url` if it has one. */
  text: string
  url?: string
  /** What the message is about, in one line, and its text as HTML. Never for a channel that is `short`. */
  subject?: string
  html?: string
}

export interface SentMessage {
  /**
   * The provider's name for the message, by which it reports the delivery: at most 500 characters, unique in the
   * channel for all clinics together. Without it the message's `id` is used.
   */
  ref: string
  /** `file`: the message was only written to a file of this instance, so that people have to deliver it themselves. */
  via?: 'file'
}

/** A way to reach people, which other modules use by its name. `Ctx` is that of the channel's own module. */
export interface Channel {
  /** A noun, as after “sent by”. */
  label: LocalText
  /** Its messages are short: they have to fit into one SMS. Callers then write a short text. */
  short?: boolean
  /**
   * Whether it can send now: for the clinic, and with `recipient` for this person. `reason`: why not, in a sentence
   * that helps the staff.
   */
  isReady (
    ctx: Ctx,
    at: { clinic_id: string, recipient: Recipient | null }
  ): Promise<Readiness> | Readiness
  /**
   * The person's address on this channel, in one form for each address; null if they have none: then the staff read
   * that the person has no address, or the `reason` of `isReady`.
   */
  addressOf (ctx: Ctx, recipient: Recipient): Promise<string | null> | string | null
  /**
   * Hands the message to the provider. Throw `ctx.problem('undeliverable', { detail })` if it can never arrive;
   * the staff read `detail`. After any other error the message is sent again later.
   */
  send (ctx: Ctx, message: ChannelMessage): Promise<SentMessage>
  /** Hides most of an address, so that only its owner recognises it. By default its last two characters remain. */
  hides? (address: string): string
}
export type Readiness = { ready: true } | { ready: false, reason: LocalText }

/** What is known of a channel, for one clinic and, if given, one person. */
export interface ChannelState {
  name: string
  /** In the requested language. */
  label: string
  short: boolean
  ready: boolean
  /** Why it isn't ready, in the requested language; otherwise null. */
  reason: string | null
  /** The person's address, and the same with most of it hidden; null without a person, or if they have none. */
  address: string | null
  hidden_address: string | null
}

/** For whom, and in which language people read the answer. */
export interface ChannelQuery { clinic_id: string, recipient: Recipient | null, locale: string }

/**
 * A job of the calling module that gets the reports about the message. It runs with `payload` and the members of
 * `DeliveryReport`. Jobs of one `key` run in order: with the key of the job that sends, it runs after that one.
 */
export interface ReportTo { job: string, key?: string, payload?: Record<string, Json> }

/** The provider's word on a message. `failed` can still become `delivered`; `delivered` is final. */
export interface DeliveryReport {
  message_id: string
  channel: string
  ref: string
  state: 'delivered' | 'failed'
  reason: string | null
}

/** The channels of all running modules, and the host's own `email`. */
export interface Channels {
  list (query: ChannelQuery): Promise<ChannelState[]>
  /** Null if no running module has a channel of this name. */
  find (name: string, query: ChannelQuery): Promise<ChannelState | null>
  /** Whether a running module has a channel of this name, ready or not. */
  has (name: string): boolean
  /** The address with most of it hidden, as the channel wants it. */
  hide (channel: string, address: string): string
  /**
   * Sends now, so call it in a job. Throws `undeliverable` if the message can never arrive (`detail` says why), and any
   * other error if it may arrive later: then throw on, so that the job runs again, and send with the same `id`. One of
   * these is `busy`, while the channel is slow. Guards and clauses can't send.
   */
  send (channel: string, message: ChannelMessage, report?: ReportTo): Promise<SentMessage>
}

/** For a channel that has no provider yet, as mail has no server in a trial. */
export interface Outbox {
  /**
   * Writes a message to a file in the folder `outbox` of the instance's storage, once for an `id`. Return `via: 'file'`
   * from `send` then. The host removes the file after 30 days, and when an erasure names its id in `letters.ids`.
   */
  write (message: { id: string, to: string, text: string }): Promise<void>
}

export interface Deliveries {
  /**
   * Reports what became of a message of the module's own channel: throws `foreign_channel` for any other, and a
   * `TypeError` for any other `state`. It can be reported twice, in any order, and before `send` has returned. `reason`
   * says why it failed; the staff read it. With `clinic_id`, the clinic that the report comes for, a message of another
   * clinic throws `foreign_delivery`: name it whenever each clinic has its own key at the provider.
   */
  report (
    tx: AnyTx,
    report: { channel: string, ref: string, clinic_id?: string, state: 'delivered' | 'failed', reason?: string | null }
  ): Promise<void>
}
