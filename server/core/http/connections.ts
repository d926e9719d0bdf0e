import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { isLoopback } from '../loopback.ts'
import { toAddress } from './request.ts'

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
 * Every open connection of a server, kept as they come and go. Made before the server listens. Node takes a connection
 * for idle as soon as its answer is written, however much of it the client still has to read; here it must have gone
 * out whole.
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

let refused = 0
/** Connections of this process that were closed because their address had reached its limit. */
export const refusedConnections = () => refused

/** What a connection counts by: as limits do. Null for this machine, where a proxy or a tunnel brings everyone. */
export function countedAddress(remote: string | undefined): string | null {
  return remote !== undefined && isLoopback(remote) ? null : toAddress(remote).ip_key
}

/** Closes what comes from an address that holds `most` connections, so that one address cannot take them all. */
export function limitPerAddress(
  server: Server,
  { most, addressOf }: { most: number, addressOf: typeof countedAddress }
): void {
  const held = new Map<string, number>()
  server.prependListener('connection', (socket: Socket) => {
    const address = addressOf(socket.remoteAddress)
    if (address === null) return
    const count = held.get(address) ?? 0
    if (count >= most) {
      refused++
      return void socket.destroy() // an answer would keep it open for those who do not read
    }
    held.set(address, count + 1)
    socket.once('close', () => {
      const left = held.get(address)! - 1
      if (left === 0) held.delete(address)
      else held.set(address, left)
    })
  })
}

function closeIdle(connections: ReadonlyMap<Socket, Connection>): void {
  for (const [socket, { last, read }] of connections) {
    if (last?.req.complete && last.writableFinished && socket.bytesRead === read) socket.destroy()
  }
}

/** Whatever is under way on them. */
export function destroyConnections(connections: ReadonlyMap<Socket, Connection>): void {
  for (const socket of connections.keys()) socket.destroy()
}
