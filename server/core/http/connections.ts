import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
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
    if (socket.destroyed) return // over a limit
    open.set(socket, { since: performance.now(), last: null, read: 0 })
    socket.once('close', () => open.delete(socket))
  })
  server.prependListener('request', onRequest)
  server.prependListener('checkExpectation', onRequest)
  server.closeIdleConnections = () => closeIdle(open)
  return open
}

let refused = 0
/** Connections of this process that were closed because their address, or the server, had reached its limit. */
export const refusedConnections = () => refused

/** What a connection counts by. `is_shared`: a proxy or a tunnel brings everyone from there. */
export interface Origin { key: string, is_shared: boolean }

/** As limits count. Programs on this machine come from its usual addresses; what comes from another one chose it. */
export function originOf(remote: string | undefined): Origin {
  const { ip, ip_key } = toAddress(remote)
  return { key: ip_key, is_shared: ip === '127.0.0.1' || ip === '::1' }
}

export interface ConnectionBounds {
  connections: number
  /** Of them, from one address. */
  connections_per_address: number
}

/**
 * Closes what comes from an address that holds its share, so that no address can take all places: not even a shared
 * one, which leaves a tenth. Node's own `maxConnections` would count before us, and count what we have just closed:
 * those who come in the same moment as a flood would be turned away with it.
 */
export function limitConnections(
  server: Server,
  { bounds, originOf }: { bounds: ConnectionBounds, originOf: (remote: string | undefined) => Origin }
): void {
  const { connections, connections_per_address } = bounds
  const held = createCounter()
  server.prependListener('connection', (socket: Socket) => {
    const { key, is_shared } = originOf(socket.remoteAddress)
    const most = is_shared ? connections - Math.floor(connections / 10) : connections_per_address
    const isFull = held.total() >= connections
    if (isFull || held.of(key) >= most) {
      refused++
      socket.destroy() // an answer would keep it open for those who do not read
      if (isFull || is_shared) server.closeIdleConnections() // to make room for the next
      return
    }
    held.add(key, 1)
    socket.once('close', () => held.add(key, -1))
  })
}

function createCounter() {
  const counts = new Map<string, number>()
  let total = 0
  return {
    total: () => total,
    of: (key: string) => counts.get(key) ?? 0,
    add(key: string, change: 1 | -1) {
      const count = (counts.get(key) ?? 0) + change
      total += change
      if (count === 0) counts.delete(key)
      else counts.set(key, count)
    }
  }
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
