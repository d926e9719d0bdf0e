import type { Socket } from 'node:net'

/** The sockets of a process to its database, so that they can be ended together. */
export interface OpenSockets {
  /** Each new one passes here before the first write. Returns it. */
  add<S extends Socket>(socket: S): S
  /** Ends all of them, and each that is added from now on: what waits for an answer has an error at once. */
  destroyAll(): void
  isDestroyed(): boolean
  /** Those that are added from now on live again. */
  rejoin(): void
  /** Closes the open ones; new ones stay open. */
  renew(): void
  /** How many bytes have come on each. */
  heard(): ReadonlyMap<Socket, number>
  /** Ends those on which nothing came since `heard`; returns how many. */
  destroySilent(heard: ReadonlyMap<Socket, number>): number
}

/** As postgres.js says it itself. */
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
      socket.on('error', () => {}) // its owner may not listen yet, or not any more
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
