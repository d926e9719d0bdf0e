import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { PaymentSettings } from '../../../layers/payments/shared/settings.ts'

export interface Seen {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  body: string
}
export interface Answer { status: number, headers?: Record<string, string>, body?: string }

/**
 * What goes wrong with the next call. `fail`: 503, and nothing is done. `hang`: nothing is done and nothing answered.
 * `drop`: it is done, and the connection is closed instead of an answer. `hang_after`: it is done, but never answered.
 */
export type Trouble = 'fail' | 'hang' | 'drop' | 'hang_after'

/**
 * How the provider reports. `before`: before the browser returns. `after`: afterwards. `twice`: both. `held`: when the
 * test calls `release`. `never`: not at all. `forged`: signed with another key. `old`: signed ten minutes ago.
 */
export type Reporting = 'before' | 'after' | 'twice' | 'held' | 'never' | 'forged' | 'old'
export type Forgery = 'right' | 'forged' | 'old'

export interface Webhook { url: string, headers: Record<string, string>, body: string }

/** One checkout at the provider. Amounts are minor units as the provider counts them. */
export interface Order {
  /** The provider's name for it. */
  ref: string
  attempt_id: string
  amount: bigint
  currency: string
  return_url: string
  cancel_url: string
  webhook_url: string
  state: 'open' | 'paid' | 'failed' | 'cancelled'
  /** What was really taken: one element for each time that money moved. */
  charges: { id: string, amount: bigint, at: Date }[]
  refunds: Refund[]
}
export interface Refund {
  id: string
  amount: bigint
  state: 'pending' | 'done' | 'failed'
  metadata: Record<string, string>
}

/** What differs between the providers. */
export interface Protocol {
  name: PaymentSettings['provider']
  /** A call of the API. */
  answer (call: Seen): Answer | Promise<Answer>
  /** The path of the page on which the browser pays this order. */
  pageOf (order: Order): string
  /** The report of the order's state, which the provider would send. */
  webhook (order: Order, forgery: Forgery): Webhook
  /** “Cancel” on the page only leads back; the checkout stays open until it expires. */
  staysOpen?: boolean
  /** Where the browser goes after the page. */
  returnOf (order: Order): string
}

/** What a protocol knows of the rest. `refund`: the state in which a new refund begins. */
export interface World { orders: Map<string, Order>, url: string, refund: Refund['state'] }

export type StandIn = Awaited<ReturnType<typeof startStandIn>>

/**
 * A payment provider on loopback: an API, a page that a browser can pay on, reports to the clinic, and a count of
 * what it really charged.
 */
export async function startStandIn(create: (world: World) => Protocol) {
  const orders = new Map<string, Order>()
  const seen: Seen[] = []
  const troubles: { kind: Trouble, path: RegExp }[] = []
  const held: (() => Promise<unknown>)[] = []
  const sending = new Set<Promise<unknown>>()
  /** Statuses with which the clinic answered our reports. */
  const reported: number[] = []
  const state = { reporting: 'before' as Reporting, takes: (amount: bigint) => amount, alter: (answer: Answer) => answer }
  const world: World = { orders, url: '', refund: 'done' }
  const protocol = create(world)

  const find = (attempt_id: string): Order => {
    const order = [...orders.values()].find(one => one.attempt_id === attempt_id)
    if (!order) throw new Error(`${protocol.name} knows no order of the attempt ${attempt_id}`)
    return order
  }

  async function report(order: Order, forgery: Forgery = 'right'): Promise<number> {
    const { url, headers, body } = protocol.webhook(order, forgery)
    const sent = fetch(url, { method: 'POST', headers, body }).then(async (response) => {
      await response.arrayBuffer()
      reported.push(response.status)
      return response.status
    }, () => 0)
    sending.add(sent)
    return await sent.finally(() => sending.delete(sent))
  }

  /** The reports that are due when an order has been decided. */
  async function reportDecision(order: Order): Promise<void> {
    const { reporting } = state
    if (reporting === 'held') held.push(() => report(order))
    if (reporting === 'before' || reporting === 'twice') await report(order)
    if (reporting === 'forged' || reporting === 'old') await report(order, reporting)
    // Behind the browser's way back; the order of the two is open, as it is in reality.
    if (reporting === 'after' || reporting === 'twice') setImmediate(() => void report(order))
  }

  /** What the person does on the page. An order that is decided stays as it is. */
  async function decide(order: Order, what: 'pay' | 'decline' | 'cancel'): Promise<void> {
    if (order.state !== 'open') return
    order.state = what === 'pay' ? 'paid' : what === 'decline' ? 'failed' : 'cancelled'
    if (what === 'pay')
      order.charges.push({ id: `${order.ref}-${order.charges.length + 1}`, amount: state.takes(order.amount), at: new Date() })
    await reportDecision(order)
  }

  async function answerPage(call: Seen, order: Order): Promise<Answer> {
    const what = new URLSearchParams(call.body).get('do')
    if (call.method !== 'POST' || what === null) return page(protocol, order)
    const leaves = what === 'cancel' && protocol.staysOpen === true
    if (!leaves) await decide(order, what as 'pay')
    return { status: 303, headers: { location: leaves ? order.cancel_url : protocol.returnOf(order) } }
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, world.url)
    const call: Seen = {
      method: request.method!,
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body: await text(request)
    }
    seen.push(call)
    const index = troubles.findIndex(({ path }) => path.test(`${call.method} ${call.path}`))
    const [trouble] = index < 0 ? [] : troubles.splice(index, 1)
    if (trouble?.kind === 'hang') return
    if (trouble?.kind === 'fail') return send(response, { status: 503, body: '{"error":{"message":"try later"}}' })
    const order = [...orders.values()].find(one => protocol.pageOf(one) === call.path)
    const answer = order ? await answerPage(call, order) : state.alter(await protocol.answer(call))
    if (trouble?.kind === 'drop') return void request.socket.destroy()
    if (trouble?.kind !== 'hang_after') send(response, answer)
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: Error) => send(response, { status: 500, body: error.stack }))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', () => resolve()))
  world.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    name: protocol.name,
    url: world.url,
    seen,
    reported,
    find,
    report: (attempt_id: string, forgery?: Forgery) => report(find(attempt_id), forgery),
    /** The report's bytes, without sending it. */
    webhook: (attempt_id: string, forgery: Forgery = 'right') => protocol.webhook(find(attempt_id), forgery),
    /** How the next decisions are reported. */
    reports: (how: Reporting) => void (state.reporting = how),
    /** Takes another amount than was asked for. */
    takes: (change: (amount: bigint) => bigint) => void (state.takes = change),
    /** The next call whose method and path match has this trouble. */
    trouble: (kind: Trouble, path = /./) => void troubles.push({ kind, path }),
    /** Changes the answers of the API. */
    alters: (change: (answer: Answer) => Answer) => void (state.alter = change),
    /** The state in which a new refund begins. */
    refunds: (begin: Refund['state']) => void (world.refund = begin),
    /** What the person does on the page, or for `cancel` also what time does. */
    decide: (attempt_id: string, what: 'pay' | 'decline' | 'cancel') => decide(find(attempt_id), what),
    /** Sends what was held. */
    async release() {
      for (const one of held.splice(0)) await one()
    },
    /** Waits for the reports that are on their way. */
    async settled() {
      while (sending.size > 0) await Promise.all(sending)
    },
    charges: (attempt_id: string) => [...orders.values()].filter(one => one.attempt_id === attempt_id)
      .reduce((sum, { charges }) => sum + charges.length, 0),
    refunded: (attempt_id: string) =>
      find(attempt_id).refunds.filter(({ state }) => state !== 'failed').map(({ amount }) => amount),
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    }
  }
}

function send(response: ServerResponse, { status, headers = {}, body = '' }: Answer): void {
  if (!response.destroyed) response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
}

export const json = (status: number, value: unknown, headers: Record<string, string> = {}): Answer =>
  ({ status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(value) })

/** The page of the provider: no script, no style, and a card number that must not be in our logs. */
export function page({ name, pageOf }: Protocol, order: Order): Answer {
  const body = `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>${name}</title>
<h1>${name}</h1><p>${order.currency} ${order.amount}</p>
<form method="post" action="${pageOf(order)}">
<p><label>Card number <input name="card" value="${CARD}"></label></p>
<button name="do" value="pay">Pay</button> <button name="do" value="decline">Decline</button>
<button name="do" value="cancel">Cancel</button></form></html>`
  return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body }
}

/** A test number of Redsys. */
export const CARD = '4548812049400004'
