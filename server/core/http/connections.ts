import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** What is known of an open connection. */
export interface Connection {
  /** `performance.now()` at its accept. */
  since: number
  /** The answer that was begun last on it, also when it is finished. Null: no request came yet. */
  last: ServerResponse | null
}

/** Every open connection of a server, kept as they come and go. Made before the server listens. */
export function trackConnections(server: Server): ReadonlyMap<Socket, Connection> {
  const open = new Map<Socket, Connection>()
  const onRequest = ({ socket }: { socket: Socket }, response: ServerResponse) => {
    const connection = open.get(socket)
    if (connection) connection.last = response
  }
  server.prependListener('connection', (socket: Socket) => {
    open.set(socket, { since: performance.now(), last: null })
    socket.once('close', () => open.delete(socket))
  })
  server.prependListener('request', onRequest)
  server.prependListener('checkExpectation', onRequest)
  return open
}
