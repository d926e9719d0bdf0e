import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { toAddress } from './request.ts'

/** The state of an open connection. */
export interface Connection {
  /** `performance.now()` when it was accepted. */
  since: number
  /** The latest answer that was begun on this connection, finished or not. Null: no request has come yet. */
  last: ServerResponse | null
  /** Bytes read when `last` had been sent completely. */
  read: number
}

/**
 * Tracks every open connection of a server. Call it before the server listens. Node regards a connection as idle as
 * soon as its answer is written, even if the client still has much of it to read. Here the whole answer must have been
 * sent.
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
/** Connections closed in this process because their address, or the whole server, had reached its limit. */
export const refusedConnections = () => refused

/** The address that a connection counts for. `is_shared`: many clients connect from it, through a proxy or a tunnel. */
export interface Origin { key: string, is_shared: boolean }

/** The origin as the limits count it. Programs on this machine use its loopback addresses, which are shared. */
export function originOf(remote: string | undefined): Origin {
  const { ip, ip_key } = toAddress(remote)
  return { key: ip_key, is_shared: ip === '127.0.0.1' || ip === '::1' }
}

export interface ConnectionBounds {
  connections: number
  /** The share of a single address. */
  connections_per_address: number
}

/**
 * Closes connections from an address that has used up its share, so that no address can take all of them. A shared
 * address may take nine tenths. Node's own `maxConnections` counts before this code runs, including the connections
 * that it has just closed, so that clients who connect at the moment of a flood would be refused too.
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
      socket.destroy() // sending an answer would keep the connection open while the client does not read
      if (isFull || is_shared) server.closeIdleConnections() // makes room for the next connection
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

/** Closes all connections, even in the middle of a request. */
export function destroyConnections(connections: ReadonlyMap<Socket, Connection>): void {
  for (const socket of connections.keys()) socket.destroy()
}
