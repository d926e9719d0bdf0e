import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import twilio from 'twilio'

export const ACCOUNT = `AC${'0'.repeat(31)}1`
export const TOKEN = 'token-of-the-clinic-0123456789'
export const SENDER = '+34600000001'

/** A message as Twilio keeps it. */
export interface TwilioMessage {
  sid: string
  to: string
  from: string | null
  body: string
  status: string
  status_callback: string | null
  content_sid: string | null
  content_variables: string | null
  date_created: string
  error_code: number | null
  price: string | null
  price_unit: string
  num_segments: string
}

type Fault = { status: number, code: number } | 'hang' | 'lost' | null

/**
 * Twilio's Messages API on loopback, as its documentation describes it: basic authentication, forms in and JSON out.
 * `faults` are taken by the next calls, one each.
 */
export async function aTwilio() {
  const messages: TwilioMessage[] = []
  const state = {
    faults: [] as Fault[],
    before_answer: null as null | ((sent: TwilioMessage) => Promise<unknown>),
    calls: 0
  }
  const hanging = new Set<{ destroy (): void }>()

  const server = createServer(async (request, response) => {
    const body = await text(request)
    const url = new URL(request.url!, 'http://twilio.test')
    const answer = (status: number, value: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    }
    const refuse = (status: number, code: number, message: string) =>
      answer(status, { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status })
    const basic = `Basic ${Buffer.from(`${ACCOUNT}:${TOKEN}`).toString('base64')}`
    if (request.headers.authorization !== basic) return refuse(401, 20003, 'Authenticate')
    const root = `/2010-04-01/Accounts/${ACCOUNT}`
    if (request.method === 'GET' && url.pathname === `${root}.json`)
      return answer(200, { sid: ACCOUNT, status: 'active', friendly_name: 'Clinic', type: 'Full' })
    if (request.method === 'GET' && url.pathname === `${root}/Messages.json`) {
      const to = url.searchParams.get('To')
      const page = messages.filter(one => to === null || one.to === to).toReversed()
      return answer(200, { messages: page, page: 0, page_size: 20, next_page_uri: null, uri: url.pathname })
    }
    const asked = /\/Messages\/(\w+)\.json$/.exec(url.pathname)?.[1]
    if (request.method === 'GET' && asked) {
      const found = messages.find(({ sid }) => sid === asked)
      return found ? answer(200, found) : refuse(404, 20404, 'not found')
    }
    if (request.method !== 'POST' || url.pathname !== `${root}/Messages.json`) return refuse(404, 20404, 'not found')

    state.calls += 1
    const form = new URLSearchParams(body)
    const fault = state.faults.shift() ?? null
    if (fault === 'hang') return void hanging.add(response.socket!)
    if (fault && fault !== 'lost')
      return refuse(fault.status, fault.code, `The 'To' number ${form.get('To')} can't get "${form.get('Body')}".`)
    const sent: TwilioMessage = {
      sid: `SM${String(messages.length + 1).padStart(32, '0')}`,
      to: form.get('To')!,
      from: form.get('From') ?? form.get('MessagingServiceSid'),
      body: form.get('Body') ?? '',
      status: 'queued',
      status_callback: form.get('StatusCallback'),
      content_sid: form.get('ContentSid'),
      content_variables: form.get('ContentVariables'),
      date_created: new Date().toUTCString().replace('GMT', '+0000'),
      error_code: null,
      price: null,
      price_unit: 'USD',
      num_segments: '1'
    }
    messages.push(sent)
    await state.before_answer?.(sent)
    if (fault === 'lost') return void response.socket!.destroy()
    answer(201, sent)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    messages,
    state,
    close: () => new Promise<void>((resolve) => {
      for (const socket of hanging) socket.destroy()
      server.close(() => resolve())
      server.closeAllConnections()
    })
  }
}
export type TwilioStandIn = Awaited<ReturnType<typeof aTwilio>>

/** Posts a form to an address of ours as Twilio does, with its signature. */
export async function postSigned(url: string, fields: Record<string, string>, token = TOKEN): Promise<Response> {
  return await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': twilio.getExpectedTwilioSignature(token, url, fields)
    },
    body: new URLSearchParams(fields)
  })
}

export const reportOf = ({ sid, to }: TwilioMessage, status: string, error?: number): Record<string, string> => ({
  AccountSid: ACCOUNT, ApiVersion: '2010-04-01', From: SENDER, To: to, MessageSid: sid, SmsSid: sid,
  MessageStatus: status, SmsStatus: status, ...error === undefined ? {} : { ErrorCode: String(error) }
})
