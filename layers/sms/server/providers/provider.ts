import type { Ctx } from '@svc/kit'
import type { SmsSettings } from '../../shared/settings.ts'
import type { ChannelName, TestCode } from '../../shared/contract.ts'
import type { Via } from '../db/schema.ts'
import type { Reason } from '../texts.ts'

export interface Order {
  id: string
  clinic_id: string
  /** The clinic's name, for templates. */
  clinic: string
  channel: ChannelName
  /** E.164 */
  to: string
  text: string
  url: string | null
  /** When the first attempt began, if its outcome is unknown: the provider may have the message. */
  uncertain_since: Date | null
}

/** `ref`: the provider's name for the message; null if it has none. */
export interface Sent { ref: string | null }

/** What the provider knows of a message that it took. Price in millionths of the currency. */
export interface Known {
  state: 'delivered' | 'failed' | null
  error: string | null
  price: bigint | null
  price_currency: string | null
}

export interface Connection { ok: boolean, code: TestCode, detail: string | null }

export interface Provider {
  via: Via
  /** Why it can't send by this channel; null if it can. */
  missing (settings: SmsSettings, channel: ChannelName): Reason | null
  /** Whether `send` can find out that the provider has a message of an attempt without an answer. */
  canFind (settings: SmsSettings, order: Pick<Order, 'channel' | 'url'>): boolean
  /** Throws `Refused`, `NotTaken` or `Unknown`. */
  send (ctx: Ctx, settings: SmsSettings, order: Order): Promise<Sent>
  test (ctx: Ctx, settings: SmsSettings): Promise<Connection>
  ask? (ctx: Ctx, settings: SmsSettings, ref: string): Promise<Known | null>
}

/** The provider will never take this message. `error`: its number for that, or a word of ours. */
export class Refused extends Error {
  override name = 'Refused'
  readonly error: string
  constructor(error: string) {
    super(`the provider refused the message (${error})`)
    this.error = error
  }
}

/** The provider does not have the message, and may take it later. */
export class NotTaken extends Error {
  override name = 'NotTaken'
  readonly error: string
  constructor(error: string, cause?: unknown) {
    super(`the provider did not take the message (${error})`, { cause })
    this.error = error
  }
}

/** No usable answer: the provider may have the message. */
export class Unknown extends Error {
  override name = 'Unknown'
  readonly error: string
  constructor(error: string, cause?: unknown) {
    super(`the provider gave no usable answer (${error})`, { cause })
    this.error = error
  }
}
