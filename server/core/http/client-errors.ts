import { randomUUID } from 'node:crypto'
import { STATUS_CODES, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { problem, type Problem } from '@svc/kit'
import { createEvent } from 'h3'
import type { Connection } from './connections.ts'
import { coreProblems, sendProblem, toAnswer } from './problems.ts'

const LINGER_MS = 1_000

/** Problem codes by the parser's error code. Every other parse error is a bad request. */
const CODES: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'payload_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout'
}

/**
 * Answers the errors that Node would answer with bare text or by closing the connection. No request handler sees them.
 */
export function answerClientErrors(
  server: Server,
  connections: ReadonlyMap<Socket, Connection>,
  headers: Record<string, string>
): void {
  const refused = new WeakSet<Duplex>()

  /** Refuses once per connection: what follows an unreadable request can't be read either. */
  function refuse(socket: Duplex, thrown: Problem) {
    if (refused.has(socket)) return
    refused.add(socket)
    const last = connections.get(socket as Socket)?.last
    if (!last) return answer(socket, thrown, headers)
    if (!last.req.complete) return refuseBody(last, socket, thrown)
    if (last.writableFinished) return answer(socket, thrown, headers)
    last.once('close', () => answer(socket, thrown, headers)) // the error belongs to a later request
  }

  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET') return socket.destroy()
    refuse(socket, problem(CODES[error.code ?? ''] ?? 'bad_request'))
  })
  server.on('connect', (_, socket) => {
    socket.on('error', () => {}) // Node has detached the socket: it would neither send the rest of an answer nor end it
    const last = connections.get(socket as Socket)?.last
    if (last && !last.writableFinished) return void socket.destroy()
    refuse(socket, problem('method_not_allowed'))
  })
  server.on('checkExpectation', (request, response) =>
    sendProblem(createEvent(request, response), problem('expectation_failed'))
  )
}

/** The body of the current request broke off. Its own answer reports that, unless the answer has already begun. */
function refuseBody(last: ServerResponse, socket: Duplex, thrown: Problem): void {
  if (last.writableFinished) return void socket.destroy()
  if (last.headersSent) return void last.once('close', () => socket.destroy())
  last.setHeader('Connection', 'close')
  sendProblem(createEvent(last.req, last), thrown)
}

function answer(socket: Duplex, thrown: Problem, ofEvery: Record<string, string>): void {
  if (!socket.writable) return void socket.destroy()
  const id = randomUUID()
  const { status, headers, body } = toAnswer(thrown, coreProblems, id)
  const lines = Object.entries({
    ...ofEvery,
    ...headers,
    ...(status === 405 ? { allow: 'GET, HEAD' } : {}),
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': id,
    'date': new Date().toUTCString(),
    'connection': 'close'
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
  // If the socket were closed at once while the client still sends, the client would lose the answer.
  const late = setTimeout(() => socket.destroy(), LINGER_MS).unref()
  socket.once('close', () => clearTimeout(late))
}
