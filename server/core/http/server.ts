import {
  createServer,
  ServerResponse,
  STATUS_CODES,
  type IncomingMessage,
  type RequestListener,
  type Server
} from 'node:http'
import { problem } from '@svc/kit'
import { createEvent } from 'h3'
import type { Config } from '../config.ts'
import { answerClientErrors } from './client-errors.ts'
import { limitConnections, originOf, trackConnections, type ConnectionBounds } from './connections.ts'
import { hasOneHost } from './host-header.ts'
import { sendProblem } from './problems.ts'

/** Limits of what one client can use of the server. In milliseconds and bytes. */
export interface Bounds extends ConnectionBounds {
  /** From the accept, or the first byte of a later request, to the end of the headers. 408 after that. */
  head_ms: number
  /** The same, to the end of the body. */
  body_ms: number
  /** For a connection on which no bytes move, for instance because the client has stopped reading. */
  stalled_ms: number
  /** For an idle keep-alive connection. Longer than the timeout of proxies, so that the proxy closes first. */
  idle_ms: number
  head_bytes: number
}

export const BOUNDS: Bounds = {
  head_ms: 20_000,
  body_ms: 60_000,
  stalled_ms: 120_000,
  idle_ms: 75_000,
  head_bytes: 16_384,
  connections: 5_000,
  connections_per_address: 500
}

export interface ServerOptions {
  bounds: Bounds
  /** Headers of every answer, including those that no listener creates. */
  headers: Record<string, string>
  originOf: typeof originOf
}

/**
 * HSTS for one year, as browsers require. The domain's other hosts and browsers' preload lists are not ours to decide
 * about. Behind a proxy each connection is the proxy's, which limits its own clients.
 */
export function serverOptions({
  base_url,
  trusted_proxies
}: Pick<Config, 'base_url' | 'trusted_proxies'>): Partial<ServerOptions> {
  return {
    headers: base_url.startsWith('https:') ? { 'Strict-Transport-Security': 'max-age=31536000' } : {},
    originOf: trusted_proxies > 0 ? remote => ({ ...originOf(remote), is_shared: true }) : originOf
  }
}

/**
 * The reason phrase is always the status code's own: frameworks put messages there, and the message of a missing page
 * contains its path.
 */
class PlainResponse extends ServerResponse {}
Object.defineProperty(PlainResponse.prototype, 'statusMessage', {
  get(this: ServerResponse) { return STATUS_CODES[this.statusCode] ?? '' },
  set() {}
})

const NO_HOST = 'The request needs exactly one valid Host header.'

/**
 * A server that also answers requests that never reach `listener` with problem documents, and that no client can block.
 */
export function createHttpServer(
  listener: RequestListener,
  { bounds = BOUNDS, headers = {}, originOf: findOrigin = originOf }: Partial<ServerOptions> = {}
) {
  const server = createServer({
    ServerResponse: PlainResponse,
    headersTimeout: bounds.head_ms,
    requestTimeout: bounds.body_ms,
    keepAliveTimeout: bounds.idle_ms,
    connectionsCheckingInterval: Math.min(5_000, bounds.head_ms / 4),
    maxHeaderSize: bounds.head_bytes,
    requireHostHeader: false // Node would answer without a problem document
  })
  server.timeout = bounds.stalled_ms
  const connections = trackConnections(server)
  limitConnections(server, { bounds, originOf: findOrigin })
  setHeaders(server, headers)
  answerClientErrors(server, connections, headers)
  server.on('request', (request, response) => {
    if (hasOneHost(request)) return listener(request, response)
    response.setHeader('Connection', 'close')
    sendProblem(createEvent(request, response), problem('bad_request', { detail: NO_HOST }))
  })
  return { server, connections }
}

function setHeaders(server: Server, headers: Record<string, string>): void {
  const set = (_: IncomingMessage, response: ServerResponse) =>
    void response.setHeaders(new Map(Object.entries(headers)))
  for (const event of ['request', 'checkExpectation'] as const) server.prependListener(event, set)
}
