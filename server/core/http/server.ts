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

/** What one client can take of the server. Milliseconds, bytes. */
export interface Bounds extends ConnectionBounds {
  /** From the accept, or the first byte of a later request, to the end of its head: 408 past it. */
  head_ms: number
  /** The same to the end of its body. */
  body_ms: number
  /** A connection on which nothing moves, such as that of a reader who has stopped reading. */
  stalled_ms: number
  /** An idle connection that can be used again: longer than proxies keep theirs, so that it is them who close. */
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
  /** Of every answer, also those that no listener makes. */
  headers: Record<string, string>
  originOf: typeof originOf
}

/**
 * A year, as browsers ask for. Neither other hosts of the domain nor browsers' preload lists are ours to decide about.
 * Behind proxies each connection is a proxy's, which limits its own clients.
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
 * The reason phrase is the status code's own: frameworks put messages there, and those of a missing page hold its path.
 */
class PlainResponse extends ServerResponse {}
Object.defineProperty(PlainResponse.prototype, 'statusMessage', {
  get(this: ServerResponse) { return STATUS_CODES[this.statusCode] ?? '' },
  set() {}
})

const NO_HOST = 'The request needs exactly one valid Host header.'

/** A server that answers with problem documents also what never reaches `listener`, and that no client can hold up. */
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
    requireHostHeader: false // Node would answer without a document
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
