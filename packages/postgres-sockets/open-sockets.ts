import type { Socket } from 'node:net'

/** The sockets of a process to its database, so that they can be ended together. */
export interface OpenSockets {
  /** Registers a new socket before its first write, and returns it. */
  add<S extends Socket>(socket: S): S
  /** Destroys all sockets, and each that is added from now on, so that pending statements fail at once. */
  destroyAll(): void
  isDestroyed(): boolean
  /** Sockets that are added from now on stay open again. */
  rejoin(): void
  /** Closes the open ones; new ones stay open. */
  renew(): void
  /** The number of bytes received on each socket. */
  heard(): ReadonlyMap<Socket, number>
  /** Destroys sockets that received nothing since `heard`; returns how many. */
  destroySilent(heard: ReadonlyMap<Socket, number>): number
}

/** The same error as postgres.js's own. */
export const connectionEnded = () =>
  Object.assign(new Error('the database does not answer'), { code: 'CONNECTION_CLOSED' })

export function createOpenSockets(): OpenSockets {
  const open = new Set<Socket>()
  let isDestroyed = false
  const end = (socket: Socket) => socket.destroy(connectionEnded())

  return {
    add(socket) {
      open.add(socket)
      socket.on('close', () => open.delete(socket))
      socket.on('error', () => {}) // its owner may not be listening yet, or no longer
      if (isDestroyed) setImmediate(end, socket) // its owner listens first
      return socket
    },
    destroyAll() {
      isDestroyed = true
      for (const socket of open) end(socket)
    },
    isDestroyed: () => isDestroyed,
    rejoin() {
      isDestroyed = false
    },
    renew() {
      for (const socket of open) end(socket)
    },
    heard: () => new Map([...open].map(socket => [socket, socket.bytesRead])),
    destroySilent(heard) {
      const silent = [...open].filter(socket => heard.get(socket) === socket.bytesRead)
      silent.forEach(end)
      return silent.length
    }
  }
}
