import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** What is known of an open connection. */
export interface Connection {
  /** `performance.now()` at its accept. */
  since: number
  /** The answer that was begun last on it, also when it is finished. Null: no request came yet. */
  last: ServerResponse | null
  /** Bytes that had been read when `last` was sent to its end. */
  read: number
}

/**
 * Every open connection of a server, kept as they come and go. Made before the server listens. Node takes a connection for
 * idle as soon as its answer is written, however much of it the client still has to read; here it must have gone out whole.
 */
export function trackConnections(server: Server): ReadonlyMap<Socket, Connection> {
  const open = new Map<Socket, Connection>()
  const onRequest = ({ socket }: { socket: Socket }, response: ServerResponse) => {
    const connection = open.get(socket)
    if (!connection) return
    connection.last = response
    response.once('finish', () => { connection.read = socket.bytesRead })
  }
  server.prependListener('connection', (socket: Socket) => {
    open.set(socket, { since: performance.now(), last: null, read: 0 })
    socket.once('close', () => open.delete(socket))
  })
  server.prependListener('request', onRequest)
  server.prependListener('checkExpectation', onRequest)
  server.closeIdleConnections = () => closeIdle(open)
  return open
}

function closeIdle(connections: ReadonlyMap<Socket, Connection>): void {
  for (const [socket, { last, read }] of connections) {
    if (last?.req.complete && last.writableFinished && socket.bytesRead === read) socket.destroy()
  }
}

/** Whatever is under way on them. */
export function cut(connections: ReadonlyMap<Socket, Connection>): void {
  for (const socket of connections.keys()) socket.destroy()
}
