import type { Ctx } from '@svc/kit'
import Stripe from 'stripe'
import type { PaymentSettings } from '../../../shared/settings.ts'
import { attemptIn, callForRefund, callProvider, testConnection } from '../call-provider.ts'
import type { Provider, RefundAnswer, RefundOrder, WebhookReport } from '../provider.ts'
import { toStripe } from './amounts.ts'
import { callOf, createClient, keysOf } from './client.ts'
import { readSession } from './status.ts'

const TOLERANCE_SECONDS = 5 * 60

/** Stripe's own page, a Checkout Session (https://docs.stripe.com/api/checkout/sessions). */
export const stripe: Provider = {
  name: 'stripe',

  missing({ mode, ...settings }) {
    return ([`stripe_${mode}_key`, `stripe_${mode}_webhook_secret`] as const).filter(field => settings[field] === null)
  },

  async createCheckout(ctx, settings, { attempt_id, amount, currency, description, locale, return_url }) {
    const unit_amount = toStripe(amount, currency)
    if (unit_amount === null)
      throw ctx.problem('provider_refused', { detail: `Stripe can’t take this amount in ${currency}.` })
    const { id, url } = await callProvider(ctx, callOf(settings), () =>
      createClient(ctx, settings).checkout.sessions.create({
        mode: 'payment',
        client_reference_id: attempt_id,
        metadata: { attempt_id },
        line_items: [{
          quantity: 1,
          price_data: { currency: currency.toLowerCase(), unit_amount, product_data: { name: description } }
        }],
        payment_intent_data: { description, metadata: { attempt_id } },
        // The patient pays the amount of the request, in its currency.
        adaptive_pricing: { enabled: false },
        success_url: return_url,
        cancel_url: return_url,
        locale: pageLocale(locale)
      }, { idempotencyKey: `checkout-${attempt_id}` }))
    if (url === null) throw ctx.problem('provider_unreachable')
    return { ref: id, redirect: { kind: 'get', url } }
  },

  async readWebhook(ctx, settings, { headers, bytes }) {
    const event = await readEvent(ctx, settings, { signature: headers['stripe-signature'] ?? '', bytes })
    return reportOf(event)
  },

  async getStatus(ctx, settings, { ref }) {
    const session = await callProvider(ctx, callOf(settings), () =>
      createClient(ctx, settings).checkout.sessions.retrieve(ref, { expand: ['payment_intent.latest_charge'] }))
    return readSession(session)
  },

  refund(ctx, settings, order) {
    const client = createClient(ctx, settings)
    return callForRefund(ctx, callOf(settings), async () => {
      const intent = order.payment_ref ?? await findIntent(client, order.ref)
      if (intent === null) return { state: 'refused', refund_ref: null, reason: null }
      // Stripe forgets idempotency keys after a day, and repeats the first answer until then.
      const minor = toStripe(order.amount, order.currency)
      if (minor === null)
        return { state: 'refused', refund_ref: null, reason: `Stripe can’t refund this amount in ${order.currency}.` }
      const { refund_id } = order
      const known = await findRefund(client, intent, order)
      return answerOf(known ?? await createRefund(client, intent, { refund_id, minor }))
    })
  },

  async test(ctx, settings) {
    const { key } = keysOf(settings)
    if (stripe.missing(settings).length > 0 || key === null) return { ok: false, code: 'no_key', detail: null }
    const live = key.includes('_live_')
    if (live !== (settings.mode === 'live')) return { ok: false, code: 'wrong_key', detail: null }
    return await testConnection({ ...callOf(settings), live }, () =>
      createClient(ctx, settings).checkout.sessions.list({ limit: 1 }))
  }
}

interface Signed { signature: string, bytes: Uint8Array }

async function readEvent(ctx: Ctx, settings: PaymentSettings, { signature, bytes }: Signed): Promise<Stripe.Event> {
  const { webhook_secret } = keysOf(settings)
  const now = (await ctx.clock.now()).getTime()
  const sent_at = Number(/(?:^|,)t=(\d+)/.exec(signature)?.[1])
  // The library checks the age alone.
  const isEarly = sent_at > now / 1000 + TOLERANCE_SECONDS
  if (webhook_secret === null || isEarly) throw ctx.problem('signature_wrong')
  try {
    const body = Buffer.from(bytes)
    return Stripe.webhooks.constructEvent(body, signature, webhook_secret, TOLERANCE_SECONDS, undefined, now)
  } catch {
    throw ctx.problem('signature_wrong')
  }
}

/** Events about anything else have neither an attempt nor a session of ours. */
function reportOf(event: Stripe.Event): WebhookReport {
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.expired':
    case 'checkout.session.async_payment_succeeded': {
      const session = event.data.object
      const status = readSession(session, { at: event.created })
      return { attempt_id: attemptIn(session.client_reference_id), ref: session.id, status }
    }
    case 'checkout.session.async_payment_failed': {
      const { client_reference_id, id } = event.data.object
      return { attempt_id: attemptIn(client_reference_id), ref: id, status: null }
    }
    default:
      return { attempt_id: null, ref: null, status: null }
  }
}

async function findIntent(client: Stripe, ref: string): Promise<string | null> {
  const { payment_intent } = await client.checkout.sessions.retrieve(ref)
  return typeof payment_intent === 'string' ? payment_intent : payment_intent?.id ?? null
}

async function findRefund(client: Stripe, payment_intent: string, { refund_id }: RefundOrder) {
  const { data } = await client.refunds.list({ payment_intent, limit: 100 })
  return data.find(({ metadata }) => metadata?.refund_id === refund_id)
}

/** `minor`: the amount with the digits that Stripe counts. */
async function createRefund(
  client: Stripe,
  payment_intent: string,
  { refund_id, minor }: { refund_id: string, minor: number }
) {
  return await client.refunds.create(
    { payment_intent, amount: minor, metadata: { refund_id } },
    { idempotencyKey: `refund-${refund_id}` }
  )
}

function answerOf({ id, status, failure_reason }: Stripe.Refund): RefundAnswer {
  const state = status === 'succeeded' ? 'done' : status === 'failed' || status === 'canceled' ? 'refused' : 'pending'
  return { state, refund_ref: id, reason: failure_reason ?? null }
}

/** Stripe's page has no Arabic; it then asks the browser. */
function pageLocale(locale: string): Stripe.Checkout.SessionCreateParams.Locale {
  const [language = ''] = locale.split('-')
  return (['de', 'en', 'es', 'fr', 'pt'] as const).find(known => known === language) ?? 'auto'
}
