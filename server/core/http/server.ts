import { createServer, type RequestListener, type Server } from 'node:http'
import { problem } from '@svc/kit'
import { createEvent } from 'h3'
import { answerClientErrors } from './client-errors.ts'
import { trackConnections } from './connections.ts'
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
}

export const BOUNDS: Bounds = { head_ms: 20_000, body_ms: 60_000, stalled_ms: 120_000, idle_ms: 75_000, head_bytes: 16_384, connections: 5_000 }

/** A server that answers with problem documents also what never reaches `listener`, and lets nobody hold it up. */
export function createHttpServer(listener: RequestListener, bounds = BOUNDS) {
  const server = createServer({
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
  answerClientErrors(server, connections)
  makeRoom(server)
  server.on('request', (request, response) => {
    if (request.headers.host !== undefined || request.httpVersion !== '1.1') return listener(request, response)
    response.setHeader('Connection', 'close')
    sendProblem(createEvent(request, response), problem('bad_request', { detail: 'The request names no host.' }))
  })
  return { server, connections }
}

/** Who comes when the server is full is turned away; those who only keep a connection open make room for the next. */
function makeRoom(server: Server): void {
  server.on('drop', () => server.closeIdleConnections())
}
