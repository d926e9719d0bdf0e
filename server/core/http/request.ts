import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { problem, type Client } from '@svc/kit'
import { parseCookies, type H3Event } from 'h3'
import ipaddr from 'ipaddr.js'

/**
 * Data about the caller from the request itself, before any look-up. Created once per request, in `event.context.svc`.
 */
export interface RequestContext { request_id: string, client: Client }

const SANE_ID = /^[\w.:-]{1,100}$/

/** Reuses an existing context: a page's server-side render calls the API in the name of its own caller. */
export function contextOf(event: H3Event, config: { trusted_proxies: number }): RequestContext {
  const known = event.context.svc as RequestContext | undefined
  if (known?.client) return known
  const context = { request_id: requestIdOf(event), client: clientOf(event, config.trusted_proxies) }
  event.context.svc = context
  return context
}

/** A well-formed `X-Request-Id` of the caller is kept, so that the logs of several services can be joined. */
export function requestIdOf(event: H3Event): string {
  const known = event.context.svc as Partial<RequestContext> | undefined
  if (known?.request_id) return known.request_id
  const sent = event.node.req.headers['x-request-id']
  const request_id = typeof sent === 'string' && SANE_ID.test(sent) ? sent : randomUUID()
  event.context.svc = { ...known, request_id }
  return request_id
}

// The address is parsed once per connection, not once per request.
const bySocket = new WeakMap<Socket, { ip: string, ip_key: string }>()

function clientOf(event: H3Event, trusted_proxies: number): Client {
  const { req } = event.node
  const user_agent = req.headers['user-agent']?.slice(0, 500) ?? null
  const forwarded = trusted_proxies > 0 ? req.headers['x-forwarded-for'] : undefined
  if (forwarded)
    return { ...toAddress(forwardedAddress(String(forwarded), req.socket.remoteAddress, trusted_proxies)), user_agent }
  let address = bySocket.get(req.socket)
  if (!address) {
    address = toAddress(req.socket?.remoteAddress)
    if (req.socket) bySocket.set(req.socket, address)
  }
  return { ...address, user_agent }
}

/**
 * The address that the outermost trusted proxy saw. Each proxy appends the address of its client, so counting starts
 * from the right. Entries further to the left can be forged.
 */
function forwardedAddress(header: string, remote: string | undefined, trusted: number): string | undefined {
  const hops = header.split(',').map(hop => hop.trim())
  const address = hops[Math.max(0, hops.length - trusted)]
  return address && ipaddr.isValid(address) ? address : remote
}

/** Also reads an IPv4 address mapped into IPv6. An IPv6 address counts by its /64, which is what one customer gets. */
export function toAddress(text: string | undefined): { ip: string, ip_key: string } {
  if (!text || !ipaddr.isValid(text)) return { ip: '0.0.0.0', ip_key: '0.0.0.0' }
  const address = ipaddr.process(text)
  if (address.kind() === 'ipv4') return { ip: address.toString(), ip_key: address.toString() }
  const prefix = address.toByteArray().slice(0, 8)
  return {
    ip: address.toString(),
    ip_key: `${ipaddr.fromByteArray([...prefix, 0, 0, 0, 0, 0, 0, 0, 0]).toString()}/64`
  }
}

/** Parsed once, on first use. */
export function lazyCookies(event: H3Event): () => Record<string, string> {
  let cookies: Record<string, string> | undefined
  return () => cookies ??= parseCookies(event)
}

/** Aborted when the answer or the connection ends. Created on first use, since only long work needs it. */
export function lazySignal({ node: { res } }: H3Event): () => AbortSignal {
  let closing: AbortController | undefined
  return () => {
    if (closing) return closing.signal
    const { signal } = closing = new AbortController()
    const abort = () => closing!.abort(problem('busy', { detail: 'The connection was closed before the answer.' }))
    if (res.destroyed) abort()
    // Also after an answer: work of a refused request may still be running, and its result is no longer needed.
    else res.once('close', abort)
    return signal
  }
}
