import { randomBytes } from 'node:crypto'
import { json, startStandIn, type Answer, type Order, type Protocol, type Refund, type Seen, type World } from './stand-in.ts'

export const MOLLIE_KEY = 'test_Standin00000000000000000000key'

/** Mollie: payments, refunds, idempotency keys, and a webhook that names the payment and is not signed. */
export async function aMollie() {
  const standIn = await startStandIn(createProtocol)
  return {
    ...standIn,
    settings: { provider: 'mollie' as const, mode: 'test' as const, mollie_host: standIn.url, mollie_test_key: MOLLIE_KEY }
  }
}

const id = (prefix: string) => `${prefix}_${randomBytes(5).toString('hex')}`
const hal = (status: number, value: unknown) => json(status, value, { 'content-type': 'application/hal+json' })
const failure = (status: number, title: string, detail: string, field?: string) =>
  hal(status, { status, title, detail, ...field ? { field } : {}, _links: { documentation: { href: 'https://docs.mollie.com/errors', type: 'text/html' } } })

/** Digits after the point that Mollie demands. */
const digitsOf = (currency: string) => ({ JPY: 0, ISK: 0, BHD: 3, KWD: 3 })[currency] ?? 2

function createProtocol(world: World): Protocol {
  const { orders } = world
  const kept = new Map<string, Answer>()

  function create({ amount: { currency = '', value = '' } = {}, ...body }: any): Answer {
    if (!isValue(value, currency))
      return failure(422, 'Unprocessable Entity', `The amount ${value} has the wrong number of decimals for ${currency}`, 'amount')
    if (!body.description || !body.redirectUrl)
      return failure(422, 'Unprocessable Entity', 'The redirect URL is invalid', 'redirectUrl')
    const order: Order = {
      ref: id('tr'),
      attempt_id: body.metadata?.attempt_id ?? '',
      amount: BigInt(value.replace('.', '')),
      currency,
      return_url: body.redirectUrl,
      cancel_url: body.cancelUrl ?? body.redirectUrl,
      webhook_url: body.webhookUrl,
      state: 'open',
      charges: [],
      refunds: []
    }
    orders.set(order.ref, order)
    return hal(201, paymentOf(order, world.url))
  }

  function refund(order: Order, { amount: { currency = '', value = '' } = {}, metadata }: any): Answer {
    if (currency !== order.currency || !isValue(value, currency))
      return failure(422, 'Unprocessable Entity', 'The amount is invalid', 'amount')
    const amount = BigInt(value.replace('.', ''))
    if (amount > sum(order.charges) - sum(order.refunds))
      return failure(422, 'Unprocessable Entity', 'The specified amount cannot be refunded', 'amount')
    const made: Refund = { id: id('re'), amount, state: world.refund, metadata }
    order.refunds.push(made)
    return hal(201, refundOf(order, made))
  }

  function post({ path, body }: Seen): Answer {
    const [, ref = '', part] = /^\/v2\/payments(?:\/(\w+)\/(refunds))?$/.exec(path) ?? []
    const order = orders.get(ref)
    if (path === '/v2/payments') return create(JSON.parse(body))
    if (part === 'refunds' && order) return refund(order, JSON.parse(body))
    return failure(404, 'Not Found', 'No payment exists with this token.')
  }

  /** Each key is used once, and its answer repeated. */
  function once(call: Seen): Answer {
    const key = call.headers['idempotency-key'] as string | undefined
    if (key === undefined) return post(call)
    const answer = kept.get(key) ?? post(call)
    kept.set(key, answer)
    return answer
  }

  function get({ path }: Seen): Answer {
    if (path === '/v2/payments') return hal(200, { count: 0, _embedded: { payments: [] }, _links: { self: { href: world.url } } })
    const [, ref = '', part] = /^\/v2\/payments\/(\w+)(?:\/(refunds))?$/.exec(path) ?? []
    const order = orders.get(ref)
    if (!order) return failure(404, 'Not Found', 'No payment exists with this token.')
    if (part === undefined) return hal(200, paymentOf(order, world.url))
    const refunds = order.refunds.map(made => refundOf(order, made))
    const _links = { self: { href: world.url }, next: null, previous: null }
    return hal(200, { count: refunds.length, _embedded: { refunds }, _links })
  }

  return {
    name: 'mollie',
    pageOf: ({ ref }) => `/checkout/select-method/${ref}`,
    returnOf: ({ state, return_url, cancel_url }) => state === 'cancelled' ? cancel_url : return_url,
    answer(call) {
      const [, key = ''] = /^Bearer (.+)$/.exec(call.headers.authorization ?? '') ?? []
      if (key !== MOLLIE_KEY)
        return failure(401, 'Unauthorized Request', `Missing authentication, or failed to authenticate with ${key}`)
      return call.method === 'POST' ? once(call) : get(call)
    },
    // Nothing in it can be forged but the id, and nothing in it has a time.
    webhook: ({ ref, webhook_url }, forgery) => ({
      url: webhook_url,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ id: forgery === 'forged' ? 'tr_notours123' : ref }).toString()
    })
  }
}

function isValue(value: string, currency: string): boolean {
  const digits = digitsOf(currency)
  return new RegExp(digits === 0 ? '^\\d+$' : `^\\d+\\.\\d{${digits}}$`).test(value) && /^[A-Z]{3}$/.test(currency)
}

const sum = (parts: { amount: bigint, state?: string }[]) =>
  parts.filter(({ state }) => state !== 'failed').reduce((total, { amount }) => total + amount, 0n)

function amountOf(amount: bigint, currency: string) {
  const digits = digitsOf(currency)
  const text = String(amount).padStart(digits + 1, '0')
  return { currency, value: digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}` }
}

function paymentOf(order: Order, url: string) {
  const isPaid = order.state === 'paid'
  return {
    resource: 'payment',
    id: order.ref,
    mode: 'test',
    createdAt: new Date().toISOString(),
    amount: amountOf(isPaid ? sum(order.charges) : order.amount, order.currency),
    description: 'x',
    method: order.state === 'open' ? null : 'creditcard',
    metadata: { attempt_id: order.attempt_id },
    status: order.state === 'cancelled' ? 'canceled' : order.state,
    ...isPaid
      ? {
          paidAt: order.charges[0]!.at.toISOString(),
          details: { cardNumber: '0004', cardHolder: 'T. Payer', cardLabel: 'Visa', cardFingerprint: 'fHB3CCKx9REkz8fPplT8N4nq' }
        }
      : {},
    redirectUrl: order.return_url,
    webhookUrl: order.webhook_url,
    _links: {
      self: { href: `${url}/v2/payments/${order.ref}`, type: 'application/hal+json' },
      ...order.state === 'open' ? { checkout: { href: `${url}/checkout/select-method/${order.ref}`, type: 'text/html' } } : {}
    }
  }
}

const refundOf = (order: Order, { id, amount, state, metadata }: Refund) => ({
  resource: 'refund',
  id,
  amount: amountOf(amount, order.currency),
  status: state === 'done' ? 'refunded' : state,
  paymentId: order.ref,
  metadata,
  description: 'x',
  createdAt: new Date().toISOString(),
  _links: { self: { href: 'https://api.mollie.com/v2/x', type: 'application/hal+json' } }
})
