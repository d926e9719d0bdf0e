import type { Ctx } from '@svc/kit'
import type { PaymentSettings } from '../../shared/settings.ts'

/** How the patient gets to the provider's own page. `form`: fields that the browser has to post there. */
export type Redirect
  = | { kind: 'get', url: string }
    | { kind: 'form', url: string, fields: Record<string, string> }

/** One attempt to pay a request. Repeated with the same `attempt_id`, it is the same checkout. */
export interface CheckoutOrder {
  attempt_id: string
  clinic_id: string
  /** Minor units, more than zero. */
  amount: bigint
  currency: string
  /** One line that the patient reads at the provider: clinic and number, never a name or a treatment. */
  description: string
  locale: string
  /** Absolute addresses: where the provider sends the patient back to, and where it reports. */
  return_url: string
  webhook_url: string
}

/** `ref`: the provider's name for the checkout, by which it is asked and refunded. */
export interface Checkout { ref: string, redirect: Redirect }

/** What the provider says of one attempt. Money is what it really took. */
export interface PaymentStatus {
  /** `pending`: not decided yet. */
  state: 'pending' | 'paid' | 'failed' | 'cancelled'
  /** Minor units and currency that the provider took; null while nothing was paid. */
  amount: bigint | null
  currency: string | null
  paid_at: Date | null
  /** The provider's id of the payment, for the books (`pi_…`, `tr_…`, the authorisation). */
  payment_ref: string | null
  method: 'card' | 'transfer' | 'other'
}

/** As it came; names of headers in lower case. */
export interface WebhookRequest { headers: Record<string, string | undefined>, bytes: Uint8Array }

/** What a verified webhook is about. Found by `attempt_id` if the provider repeats ours, otherwise by `ref`. */
export interface WebhookReport {
  attempt_id: string | null
  ref: string | null
  /** Null if the webhook only says that something changed: then the provider is asked. */
  status: PaymentStatus | null
}

export interface RefundOrder {
  /** Idempotency key of the refund. */
  refund_id: string
  attempt_id: string
  ref: string
  payment_ref: string | null
  /** Minor units. */
  amount: bigint
  currency: string
  /** Minor units that refunds of this attempt have returned already, this one not counted. */
  refunded_before: bigint
  reason: string
}

export interface RefundAnswer { state: 'done' | 'pending' | 'refused', refund_ref: string | null, reason: string | null }

/** For “Test the connection”. `detail`: what the provider says. */
export type ConnectionTest
  = | { ok: true, live: boolean }
    | { ok: false, code: 'no_key' | 'wrong_key' | 'unreachable' | 'refused', detail: string | null }

/**
 * A payment provider. Every call has a time limit of a few seconds, throws `provider_unreachable` when there was no
 * usable answer and `provider_refused` when the provider said no, and is safe to repeat.
 */
export interface Provider {
  name: 'transfer' | 'stripe' | 'mollie' | 'redsys'
  /** The names of the settings that it needs and that are not set. */
  missing (settings: PaymentSettings): string[]
  createCheckout (ctx: Ctx, settings: PaymentSettings, order: CheckoutOrder): Promise<Checkout>
  /** Throws `signature_wrong` unless provider and time (within five minutes) of the raw body are proven. */
  readWebhook (ctx: Ctx, settings: PaymentSettings, request: WebhookRequest): Promise<WebhookReport>
  getStatus (ctx: Ctx, settings: PaymentSettings, attempt: { attempt_id: string, ref: string }): Promise<PaymentStatus>
  refund (ctx: Ctx, settings: PaymentSettings, order: RefundOrder): Promise<RefundAnswer>
  test (ctx: Ctx, settings: PaymentSettings): Promise<ConnectionTest>
}
