import { createHmac, randomBytes } from 'node:crypto'
import { json, startStandIn, type Answer, type Forgery, type Order, type Protocol, type Refund, type Seen, type World } from './stand-in.ts'

export const STRIPE_KEY = 'sk_test_51Standin0000000000000000000000key'
export const STRIPE_WEBHOOK_SECRET = 'whsec_standin0000000000000000secret'

/**
 * Stripe: Checkout Sessions, payment intents, refunds, idempotency keys and signed events, as its API reference
 * describes them. Webhooks go to the one address that is set at Stripe, so `webhook_url` is set here.
 */
export async function aStripe() {
  const settings = { webhook_url: '' }
  const standIn = await startStandIn(world => createProtocol(world, settings))
  return {
    ...standIn,
    get webhook_url(): string {
      return settings.webhook_url
    },
    set webhook_url(url: string) {
      settings.webhook_url = url
    },
    settings: {
      provider: 'stripe' as const,
      mode: 'test' as const,
      stripe_host: standIn.url,
      stripe_test_key: STRIPE_KEY,
      stripe_test_webhook_secret: STRIPE_WEBHOOK_SECRET
    }
  }
}

const id = (prefix: string) => `${prefix}_test_${randomBytes(12).toString('hex')}`
const failure = (status: number, error: object) => json(status, { error })

function createProtocol(world: World, settings: { webhook_url: string }): Protocol {
  const { orders } = world
  const kept = new Map<string, { call: string, answer: Answer }>()

  function create(form: URLSearchParams): Answer {
    const currency = form.get('line_items[0][price_data][currency]') ?? ''
    const amount = BigInt(form.get('line_items[0][price_data][unit_amount]') ?? 0)
    if (form.get('mode') !== 'payment' || !/^[a-z]{3}$/.test(currency) || amount < 1n || !form.get('success_url'))
      return failure(400, { type: 'invalid_request_error', message: 'Missing required param: line_items.' })
    if (['bhd', 'jod', 'kwd', 'omr', 'tnd'].includes(currency) && amount % 10n !== 0n)
      return failure(400, { type: 'invalid_request_error', message: 'The amount must be divisible by 10.' })
    const order: Order = {
      ref: id('cs'),
      attempt_id: form.get('client_reference_id') ?? '',
      amount,
      currency: currency.toUpperCase(),
      return_url: form.get('success_url')!,
      cancel_url: form.get('cancel_url') ?? form.get('success_url')!,
      webhook_url: settings.webhook_url,
      state: 'open',
      charges: [],
      refunds: []
    }
    orders.set(order.ref, order)
    return json(200, sessionOf(order, { url: world.url }))
  }

  const byIntent = (intent: string | null) => [...orders.values()].find(order => intentOf(order) === intent)

  function refund(form: URLSearchParams): Answer {
    const order = byIntent(form.get('payment_intent'))
    if (!order) return failure(404, { type: 'invalid_request_error', code: 'resource_missing', message: 'No such payment_intent' })
    const left = sum(order.charges) - sum(order.refunds)
    const amount = BigInt(form.get('amount') ?? left)
    if (left === 0n)
      return failure(400, { type: 'invalid_request_error', code: 'charge_already_refunded', message: 'Charge has already been refunded.' })
    if (amount > left)
      return failure(400, { type: 'invalid_request_error', message: 'Refund amount is greater than unrefunded amount on charge.' })
    const metadata = { refund_id: form.get('metadata[refund_id]') ?? '' }
    const made: Refund = { id: id('re'), amount, state: world.refund, metadata }
    order.refunds.push(made)
    return json(200, refundOf(order, made))
  }

  function post({ path, body }: Seen): Answer {
    const form = new URLSearchParams(body)
    if (path === '/v1/checkout/sessions') return create(form)
    if (path === '/v1/refunds') return refund(form)
    return failure(404, { type: 'invalid_request_error', message: 'Unrecognized request URL' })
  }

  /** A repeated key gets the first answer again; with other parameters it is an error. */
  function once(call: Seen): Answer {
    const key = call.headers['idempotency-key'] as string | undefined
    if (key === undefined) return post(call)
    const text = `${call.path} ${call.body}`
    const known = kept.get(key)
    if (known && known.call !== text)
      return failure(400, { type: 'idempotency_error', message: `Keys for idempotent requests can only be used with the same parameters they were first used with. ${key}` })
    if (known) return { ...known.answer, headers: { ...known.answer.headers, 'idempotent-replayed': 'true' } }
    const answer = post(call)
    kept.set(key, { call: text, answer })
    return answer
  }

  function get({ path, query }: Seen): Answer {
    if (path === '/v1/refunds') {
      const order = byIntent(query.get('payment_intent'))
      return json(200, { object: 'list', has_more: false, url: path, data: order?.refunds.map(made => refundOf(order, made)) ?? [] })
    }
    if (path === '/v1/checkout/sessions') return json(200, { object: 'list', has_more: false, url: path, data: [] })
    const [, ref] = /^\/v1\/checkout\/sessions\/(\w+)$/.exec(path) ?? []
    const order = orders.get(ref ?? '')
    if (!order) return failure(404, { type: 'invalid_request_error', code: 'resource_missing', message: `No such checkout.session: '${ref}'` })
    return json(200, sessionOf(order, { url: world.url, expanded: query.get('expand[0]') !== null }))
  }

  return {
    name: 'stripe',
    staysOpen: true,
    pageOf: ({ ref }) => `/c/pay/${ref}`,
    returnOf: ({ state, return_url, cancel_url }) => state === 'cancelled' ? cancel_url : return_url,
    answer(call) {
      const [, key = ''] = /^Bearer (.+)$/.exec(call.headers.authorization ?? '') ?? []
      // Stripe quotes the beginning and the end of a wrong key.
      if (key !== STRIPE_KEY)
        return failure(401, { type: 'invalid_request_error', message: `Invalid API Key provided: ${key.slice(0, 11)}****${key.slice(-4)}` })
      return call.method === 'POST' ? once(call) : get(call)
    },
    webhook: (order, forgery) => webhookOf(order, forgery)
  }
}

const sum = (parts: { amount: bigint, state?: string }[]) =>
  parts.filter(({ state }) => state !== 'failed').reduce((total, { amount }) => total + amount, 0n)

const intentOf = ({ ref }: Order) => ref.replace(/^cs/, 'pi')

function sessionOf(order: Order, { url, expanded = false }: { url: string, expanded?: boolean }) {
  const isPaid = order.state === 'paid'
  const currency = order.currency.toLowerCase()
  // Nothing was charged on a page that is still open, and its payment intent doesn't exist yet.
  const intent = order.state === 'open' || order.state === 'cancelled' ? null : intentOf(order)
  return {
    id: order.ref,
    object: 'checkout.session',
    client_reference_id: order.attempt_id,
    metadata: { attempt_id: order.attempt_id },
    mode: 'payment',
    livemode: false,
    status: isPaid || order.state === 'failed' ? 'complete' : order.state === 'cancelled' ? 'expired' : 'open',
    payment_status: isPaid ? 'paid' : 'unpaid',
    payment_method_types: ['card'],
    amount_total: Number(isPaid ? sum(order.charges) : order.amount),
    currency,
    url: order.state === 'open' ? `${url}/c/pay/${order.ref}` : null,
    payment_intent: intent !== null && expanded ? fullIntentOf(order, intent) : intent
  }
}

function fullIntentOf(order: Order, intent: string) {
  const [charge] = order.charges
  const currency = order.currency.toLowerCase()
  return {
    id: intent,
    object: 'payment_intent',
    amount: Number(order.amount),
    amount_received: Number(sum(order.charges)),
    currency,
    status: order.state === 'paid' ? 'succeeded' : 'requires_payment_method',
    metadata: { attempt_id: order.attempt_id },
    latest_charge: charge
      ? {
          id: intent.replace(/^pi/, 'ch'),
          object: 'charge',
          amount: Number(charge.amount),
          currency,
          created: Math.floor(charge.at.getTime() / 1000),
          payment_method_details: { type: 'card', card: { brand: 'visa', last4: '0004', exp_month: 12, exp_year: 2030 } }
        }
      : null
  }
}

const refundOf = (order: Order, { id, amount, state, metadata }: Refund) => ({
  id,
  object: 'refund',
  amount: Number(amount),
  currency: order.currency.toLowerCase(),
  payment_intent: intentOf(order),
  metadata,
  status: state === 'done' ? 'succeeded' : state
})

function webhookOf(order: Order, forgery: Forgery) {
  const now = Math.floor(Date.now() / 1000)
  const t = forgery === 'old' ? now - 601 : now
  const type = { paid: 'completed', failed: 'async_payment_failed', cancelled: 'expired', open: 'completed' }[order.state]
  const body = JSON.stringify({
    id: id('evt'),
    object: 'event',
    api_version: '2026-10-28.endive',
    created: t,
    livemode: false,
    type: `checkout.session.${type}`,
    data: { object: sessionOf(order, { url: '' }) }
  }, null, 2)
  const secret = forgery === 'forged' ? 'whsec_of_somebody_else_0000000000' : STRIPE_WEBHOOK_SECRET
  const v1 = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')
  const headers = { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': `t=${t},v1=${v1},v0=${'0'.repeat(64)}` }
  return { url: order.webhook_url, headers, body }
}
