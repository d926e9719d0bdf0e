import { validateHeaderName, validateHeaderValue } from 'node:http'
import type { OutgoingRequest } from '@svc/kit'
import type { Sent } from './send.ts'

const MAX_TIMEOUT_MS = 10_000
const MAX_BYTES = 1_000_000

/** Headers that frame the request: with others than ours, the receiver could read two requests in one. */
const OURS = ['host', 'connection', 'content-length', 'transfer-encoding', 'expect', 'upgrade', 'te', 'trailer', 'keep-alive']

export interface ReadRequest { sent: Sent, timeout_ms: number, max_bytes: number }

/** Checks what a module wants to send. Throws a plain error for a mistake in its code. */
export function readRequest(
  address: string,
  { method: wanted = 'GET', headers = {}, body, timeout_ms = MAX_TIMEOUT_MS, max_bytes = MAX_BYTES }: OutgoingRequest,
  version: string
): ReadRequest {
  if (!URL.canParse(address)) throw new TypeError('ctx.http.fetch needs a whole URL, such as https://api.example.com/x')
  const url = new URL(address)
  if (!['https:', 'http:'].includes(url.protocol)) throw new TypeError('ctx.http.fetch calls https and http only')
  if (url.username !== '' || url.password !== '')
    throw new TypeError('ctx.http.fetch takes no user name or password in a URL: send the header authorization')
  const method = wanted.toUpperCase()
  if (!/^[A-Z]+$/.test(method) || method === 'CONNECT') throw new TypeError(`ctx.http.fetch can't send ${method}`)
  assertWithin('timeout_ms', timeout_ms, MAX_TIMEOUT_MS)
  assertWithin('max_bytes', max_bytes, MAX_BYTES)
  if (Symbol.iterator in headers) throw new TypeError('ctx.http.fetch takes headers as a plain object')
  if (body !== undefined && typeof body !== 'string' && !(body instanceof Uint8Array))
    throw new TypeError('ctx.http.fetch sends a body of text or bytes: turn it into JSON yourself')
  const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  const foreign = OURS.filter(name => Object.hasOwn(given, name))
  if (foreign.length > 0) throw new TypeError(`the service itself sends the header ${foreign.join(', ')}`)
  for (const [name, value] of Object.entries(given)) {
    validateHeaderName(name)
    validateHeaderValue(name, value)
  }
  return {
    sent: {
      url,
      method,
      headers: { 'user-agent': `dental-budget-service/${version}`, 'accept-encoding': 'identity', ...given },
      body
    },
    timeout_ms,
    max_bytes
  }
}

function assertWithin(name: string, value: number, max: number): void {
  if (!Number.isSafeInteger(value) || value < 1 || value > max)
    throw new RangeError(`${name} of ctx.http.fetch is a whole number from 1 to ${max}`)
}
