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
import { countedAddress, limitPerAddress, trackConnections } from './connections.ts'
import { sendProblem } from './problems.ts'

/** What one client can take of the server. Milliseconds, bytes. */
export interface Bounds {
  /** From the accept, or the first byte of a later request, to the end of its head: 408 past it. */
  head_ms: number
  /** The same to the end of its body. */
  body_ms: number
  /** A connection on which nothing moves, such as that of a reader who has stopped reading. */
  stalled_ms: number
  /** An idle connection that can be used again: longer than proxies keep theirs, so that it is them who close. */
  idle_ms: number
  head_bytes: number
  connections: number
  /** Of them, from one address. */
  connections_per_address: number
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
  /** What a connection counts by; null: it is not counted. */
  addressOf: typeof countedAddress
}

/**
 * A year, as browsers ask for. Neither other hosts of the domain nor browsers' preload lists are ours to decide about.
 * Behind proxies each connection is a proxy's, which has all of them: it limits its own clients.
 */
export function serverOptions({
  base_url,
  trusted_proxies
}: Pick<Config, 'base_url' | 'trusted_proxies'>): Partial<ServerOptions> {
  return {
    headers: base_url.startsWith('https:') ? { 'Strict-Transport-Security': 'max-age=31536000' } : {},
    addressOf: trusted_proxies > 0 ? () => null : countedAddress
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

/** A server that answers with problem documents also what never reaches `listener`, and that no client can hold up. */
export function createHttpServer(
  listener: RequestListener,
  { bounds = BOUNDS, headers = {}, addressOf = countedAddress }: Partial<ServerOptions> = {}
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
  server.maxConnections = bounds.connections
  const connections = trackConnections(server)
  limitPerAddress(server, { most: bounds.connections_per_address, addressOf })
  setHeaders(server, headers)
  answerClientErrors(server, connections, headers)
  makeRoom(server)
  server.on('request', (request, response) => {
    if (request.headers.host !== undefined || request.httpVersion !== '1.1') return listener(request, response)
    response.setHeader('Connection', 'close')
    sendProblem(createEvent(request, response), problem('bad_request', { detail: 'The request has no host.' }))
  })
  return { server, connections }
}

function setHeaders(server: Server, headers: Record<string, string>): void {
  const set = (_: IncomingMessage, response: ServerResponse) =>
    void response.setHeaders(new Map(Object.entries(headers)))
  for (const event of ['request', 'checkExpectation'] as const) server.prependListener(event, set)
}

/** A full server refuses new connections, and closes idle ones to make room for the next. */
function makeRoom(server: Server): void {
  server.on('drop', () => server.closeIdleConnections())
}
