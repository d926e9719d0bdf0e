import { Locale, type MollieClient, type Payment, type Refund } from '@mollie/api-client'
import { exponent, formatMoney, isCurrency } from '@svc/kit/money'
import type { PaymentSettings } from '../../../shared/settings.ts'
import { rescale } from '../amounts.ts'
import { callForRefund, callProvider, testConnection } from '../call-provider.ts'
import type { PaymentStatus, Provider, RefundAnswer, RefundOrder } from '../provider.ts'
import { callOf, createClient, keyOf } from './client.ts'

/** Mollie's own page (https://docs.mollie.com/reference/create-payment). */
export const mollie: Provider = {
  name: 'mollie',

  missing: ({ mode, ...settings }) => settings[`mollie_${mode}_key`] === null ? [`mollie_${mode}_key`] : [],

  async createCheckout(ctx, settings, { attempt_id, amount, currency, description, locale, return_url, webhook_url }) {
    const payment = await callProvider(ctx, callOf(settings), () =>
      createClient(ctx, settings).payments.create({
        amount: { currency, value: formatMoney(amount, currency) },
        description,
        redirectUrl: return_url,
        webhookUrl: webhook_url,
        locale: LOCALES[locale.split('-')[0]!],
        metadata: { attempt_id },
        idempotencyKey: `checkout-${attempt_id}`
      }))
    const { checkout } = payment._links
    if (!checkout) throw ctx.problem('provider_unreachable')
    return { ref: payment.id, redirect: { kind: 'get', url: checkout.href } }
  },

  /** The webhook isn't signed, and only names a payment: what is true is asked. */
  async readWebhook(ctx, _settings, { bytes }) {
    const ref = new URLSearchParams(new TextDecoder().decode(bytes)).get('id') ?? ''
    if (!isPaymentId(ref)) throw ctx.problem('signature_wrong')
    return { attempt_id: null, ref, status: null }
  },

  async getStatus(ctx, settings, { ref }) {
    return readPayment(await callProvider(ctx, callOf(settings), () => createClient(ctx, settings).payments.get(ref)))
  },

  refund(ctx, settings, order) {
    const client = createClient(ctx, settings)
    // Mollie forgets idempotency keys after an hour, and repeats the first answer until then.
    return callForRefund(ctx, callOf(settings), async () =>
      answerOf(await findRefund(client, order) ?? await createRefund(client, order)))
  },

  async test(ctx, settings) {
    const key = keyOf(settings)
    if (key === null) return { ok: false, code: 'no_key', detail: null }
    const live = settings.mode === 'live'
    if (!isKeyOf(key, settings)) return { ok: false, code: 'wrong_key', detail: null }
    return await testConnection({ ...callOf(settings), live }, () =>
      createClient(ctx, settings).payments.page({ limit: 1 }))
  }
}

/** Mollie's page has no Arabic; it then asks the browser. */
const LOCALES: Record<string, Locale | undefined> = {
  de: Locale.de_DE,
  en: Locale.en_GB,
  es: Locale.es_ES,
  fr: Locale.fr_FR,
  pt: Locale.pt_PT
}

/** Only these may become a part of an address. */
const isPaymentId = (text: string) => /^tr_[A-Za-z0-9]{1,50}$/.test(text)
const isKeyOf = (key: string, { mode }: PaymentSettings) => key.startsWith(`${mode}_`)

function readPayment(payment: Payment): PaymentStatus {
  const state = STATES[payment.status] ?? 'pending'
  const isPaid = state === 'paid'
  return {
    state,
    amount: isPaid ? parseValue(payment.amount) : null,
    currency: isPaid ? payment.amount.currency : null,
    paid_at: isPaid && payment.paidAt ? new Date(payment.paidAt) : null,
    payment_ref: payment.id,
    method: METHODS[String(payment.method)] ?? 'other'
  }
}

const STATES: Partial<Record<string, PaymentStatus['state']>> = {
  paid: 'paid',
  failed: 'failed',
  canceled: 'cancelled',
  expired: 'cancelled'
}

const METHODS: Partial<Record<string, PaymentStatus['method']>> = {
  creditcard: 'card',
  applepay: 'card',
  googlepay: 'card',
  bancontact: 'card',
  banktransfer: 'transfer',
  directdebit: 'transfer',
  ideal: 'transfer',
  paybybank: 'transfer',
  trustly: 'transfer'
}

/** `"10.00"`, with the digits that Mollie counts. Null if the currency doesn't have that many. */
function parseValue({ currency, value }: { currency: string, value: string }): bigint | null {
  const [whole = '', fraction = ''] = value.split('.')
  return isCurrency(currency) ? rescale(BigInt(whole + fraction), fraction.length, exponent(currency)) : null
}

async function findRefund(client: MollieClient, { ref, refund_id }: RefundOrder): Promise<Refund | undefined> {
  const refunds = await client.paymentRefunds.page({ paymentId: ref, limit: 250 })
  return refunds.find(({ metadata }) => (metadata as { refund_id?: unknown } | null)?.refund_id === refund_id)
}

const createRefund = (client: MollieClient, { ref, refund_id, amount, currency }: RefundOrder) =>
  client.paymentRefunds.create({
    paymentId: ref,
    amount: { currency, value: formatMoney(amount, currency) },
    metadata: { refund_id },
    idempotencyKey: `refund-${refund_id}`
  })

function answerOf({ id, status }: Refund): RefundAnswer {
  const name = String(status)
  const state = name === 'refunded' ? 'done' : name === 'failed' || name === 'canceled' ? 'refused' : 'pending'
  return { state, refund_ref: id, reason: null }
}
