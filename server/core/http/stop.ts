import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as polled } from 'node:timers/promises'
import type { Connection } from './connections.ts'

const LOOK_EVERY_MS = 50
/** A connection without a word: one that was just made has a request on its way. */
const SILENT_MS = 1_000

type Connections = ReadonlyMap<Socket, Connection>

/**
 * Answers in progress ask their clients to use another connection next time. The handler marks later answers.
 */
export function announceConnectionClose(connections: Connections): void {
  for (const { last } of connections.values()) {
    if (last && !last.headersSent) last.setHeader('Connection', 'close')
  }
}

/**
 * Takes no more connections; resolves when what is in flight is answered and the rest is closed. Has no limit of its
 * own.
 */
export async function closeServer(server: Server, connections: Connections): Promise<void> {
  await flushPendingReads()
  const closed = new Promise<void>(resolve => server.close(() => resolve()))
  // Again and again: an answer that was under way leaves an idle connection behind when its head had said so.
  const looking = setInterval(() => void flushPendingReads().then(closeUnused), LOOK_EVERY_MS)
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
 * A connection whose request lies unread in the kernel looks idle, and closing it resets it. The loop is asked for all
 * that has arrived: what runs by itself after the second turn comes right behind a whole look at every socket.
 */
async function flushPendingReads(): Promise<void> {
  await polled()
  await polled()
}
