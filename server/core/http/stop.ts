import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as polled } from 'node:timers/promises'
import type { Connection } from './connections.ts'

const POLL_INTERVAL_MS = 50
/** How long a connection without any bytes may stay open: a new one may have its first request on the way. */
const SILENT_MS = 1_000

type Connections = ReadonlyMap<Socket, Connection>

/** Makes answers in progress ask their clients to use another connection next time. The handler marks later answers. */
export function announceConnectionClose(connections: Connections): void {
  for (const { last } of connections.values()) {
    if (last && !last.headersSent) last.setHeader('Connection', 'close')
  }
}

/**
 * Accepts no more connections. Resolves when requests in flight are answered and the rest is closed. Has no timeout of
 * its own.
 */
export async function closeServer(server: Server, connections: Connections): Promise<void> {
  await flushPendingReads()
  const closed = new Promise<void>(resolve => server.close(() => resolve()))
  // Repeated, because an answer whose headers were already sent leaves an idle connection behind.
  const looking = setInterval(() => void flushPendingReads().then(closeUnused), POLL_INTERVAL_MS)
  await closed
  clearInterval(looking)

  function closeUnused() {
    server.closeIdleConnections()
    for (const [socket, { since }] of connections) {
      if (socket.bytesRead === 0 && performance.now() - since > SILENT_MS) socket.destroy()
    }
  }
}

/**
 * A connection whose request is still unread in the kernel looks idle, and closing it would reset it. After two turns
 * of the event loop every socket has been polled once, so that all requests that had arrived have been read.
 */
async function flushPendingReads(): Promise<void> {
  await polled()
  await polled()
}
