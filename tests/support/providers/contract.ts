import { randomUUID } from 'node:crypto'
import { mollie } from '../../../layers/payments/server/providers/mollie/mollie.ts'
import type { Checkout, CheckoutOrder, Provider, RefundOrder } from '../../../layers/payments/server/providers/provider.ts'
import { redsys } from '../../../layers/payments/server/providers/redsys/redsys.ts'
import { stripe } from '../../../layers/payments/server/providers/stripe/stripe.ts'
import { DEFAULTS, type PaymentSettings } from '../../../layers/payments/shared/settings.ts'
import { pressAt } from './browse.ts'
import { aCallingCtx } from './calling-ctx.ts'
import { aMollie, MOLLIE_KEY } from './mollie.ts'
import { aRedsys, REDSYS_KEY } from './redsys.ts'
import type { Forgery, StandIn } from './stand-in.ts'
import { aStripe, STRIPE_KEY, STRIPE_WEBHOOK_SECRET } from './stripe.ts'

const REDSYS_OTHER_KEY = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYX'

/** The same cases for every provider. What differs between them is in this table. */
export const PROVIDERS = [
  {
    name: 'stripe',
    provider: stripe,
    aStandIn: aStripe,
    wrong: { stripe_test_key: 'sk_test_51Wrong00000000000000000000000key' },
    without: { stripe_test_key: null },
    liveKey: { stripe_test_key: 'sk_live_51Wrong0000000000000000000000key' },
    host: 'stripe_host',
    secrets: [STRIPE_KEY, STRIPE_WEBHOOK_SECRET, 'sk_test_51Wrong00000000000000000000000key', 'sk_test_51W', '0key'],
    // Of the session's creation, which Redsys doesn't have: its browser posts a signed form.
    creates: /^POST \/v1\/checkout\/sessions$/,
    asks: /^GET \/v1\/checkout\/sessions\//,
    refunds: /^POST \/v1\/refunds$/,
    /** BHD: the last of three digits is 0. */
    bahrain: 12_340n,
    /** How a webhook that is signed wrongly, or long ago, ends. */
    forged: 'refused',
    old: 'refused',
    report: 'status',
    cancel: 'pending'
  },
  {
    name: 'mollie',
    provider: mollie,
    aStandIn: aMollie,
    wrong: { mollie_test_key: 'test_Wrong0000000000000000000000key' },
    without: { mollie_test_key: null },
    liveKey: { mollie_test_key: 'live_Wrong000000000000000000000key' },
    host: 'mollie_host',
    secrets: [MOLLIE_KEY, 'test_Wrong0000000000000000000000key'],
    creates: /^POST \/v2\/payments$/,
    asks: /^GET \/v2\/payments\/\w+$/,
    refunds: /^POST \/v2\/payments\/\w+\/refunds$/,
    bahrain: 12_345n,
    // It is not signed and has no time. All that it does is make us ask.
    forged: 'asks',
    old: 'asks',
    report: 'asks',
    cancel: 'cancelled'
  },
  {
    name: 'redsys',
    provider: redsys,
    aStandIn: aRedsys,
    wrong: { redsys_test_key: REDSYS_OTHER_KEY },
    without: { redsys_test_key: null },
    liveKey: { redsys_test_key: 'not a key of Redsys' },
    host: 'redsys_test_host',
    secrets: [REDSYS_KEY, REDSYS_OTHER_KEY],
    creates: null,
    asks: /^POST \/apl02\//,
    refunds: /^POST \/sis\/rest\/trataPeticionREST$/,
    bahrain: 12_345n,
    forged: 'refused',
    // Its only time is that of the payment: a late report is a reason to ask.
    old: 'asks',
    report: 'status',
    cancel: 'cancelled'
  }
] as const

interface Case {
  provider: Provider
  aStandIn (): Promise<Omit<StandIn, 'settings'> & { settings: Partial<PaymentSettings> }>
}

/** The provider with its stand-in, which reports nothing by itself, and short ways to call it. */
export async function aCase({ provider, aStandIn }: Case) {
  const standIn = await aStandIn()
  standIn.reports('never')
  const host = await aCallingCtx()
  const settings: PaymentSettings = { ...DEFAULTS, ...standIn.settings }
  const having = (changed: Partial<PaymentSettings> = {}): PaymentSettings => ({ ...settings, ...changed })

  const create = (order: CheckoutOrder, changed?: Partial<PaymentSettings>) =>
    provider.createCheckout(host.ctx, having(changed), order)

  return {
    provider,
    standIn,
    host,
    settings,
    create,
    ask: ({ attempt_id }: CheckoutOrder, { ref }: Checkout, changed?: Partial<PaymentSettings>) =>
      provider.getStatus(host.ctx, having(changed), { attempt_id, ref }),
    refund: (order: RefundOrder, changed?: Partial<PaymentSettings>) =>
      provider.refund(host.ctx, having(changed), order),
    check: (changed?: Partial<PaymentSettings>) => provider.test(host.ctx, having(changed)),
    read(attempt_id: string, forgery: Forgery = 'right') {
      const { headers, body } = standIn.webhook(attempt_id, forgery)
      return provider.readWebhook(host.ctx, settings, { headers, bytes: Buffer.from(body) })
    },
    async aPaid(fields: Partial<CheckoutOrder> = {}) {
      const order = anOrder(fields)
      const checkout = await create(order)
      await pressAt(checkout.redirect, 'pay')
      return { order, checkout }
    }
  }
}

export const anOrder = (fields: Partial<CheckoutOrder> = {}): CheckoutOrder => ({
  attempt_id: randomUUID(),
  clinic_id: randomUUID(),
  amount: 24_624n,
  currency: 'EUR',
  description: 'Clínica Peñalver, 2026-0017',
  locale: 'es',
  return_url: 'https://clinic.example/return?attempt=1',
  webhook_url: 'https://clinic.example/webhook',
  ...fields
})

interface Paid { order: CheckoutOrder, checkout: Checkout }

/** Of the whole payment, unless it says otherwise. */
export const aRefund = ({ order, checkout }: Paid, fields: Partial<RefundOrder> = {}): RefundOrder => ({
  refund_id: randomUUID(),
  attempt_id: order.attempt_id,
  ref: checkout.ref,
  payment_ref: null,
  amount: order.amount,
  currency: order.currency,
  refunded_before: 0n,
  reason: 'The treatment was cancelled.',
  ...fields
})
