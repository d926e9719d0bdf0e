import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import { Socket } from 'node:net'

interface Guarded { hasCalled: boolean, isClosed: boolean }
const guarded = new AsyncLocalStorage<Guarded>()
let isWatching = false

const REFUSED = 'it made an outgoing call'

/**
 * Runs a module's code during which a row stays locked. The code can't open a connection. If it tried to, or sent a
 * request over an open one, this throws at its end.
 */
export async function forbidCalls<T>(work: () => Promise<T>): Promise<T> {
  watch()
  const state = { hasCalled: false, isClosed: false }
  try {
    const result = await guarded.run(state, work)
    if (state.hasCalled) throw new Error(REFUSED)
    return result
  } finally {
    state.isClosed = true
  }
}

/** For connections of the host itself. */
export const outsideGuards = <T>(run: () => T): T => guarded.exit(run)

/** True if the caller is such code that is still running. */
function noteCall(): boolean {
  const state = guarded.getStore()
  if (!state || state.isClosed) return false
  state.hasCalled = true
  return true
}

/** Throws if the caller is such code. */
export function assertCallsAllowed(): void {
  if (noteCall()) throw new Error(REFUSED)
}

function watch(): void {
  if (isWatching) return
  isWatching = true
  const connect = Socket.prototype.connect
  Socket.prototype.connect = function refusing(this: Socket, ...given: unknown[]) {
    assertCallsAllowed()
    return Reflect.apply(connect, this, given) as Socket
  }
  // A request over a connection that stayed open connects nothing.
  for (const channel of ['undici:request:create', 'http.client.request.created']) subscribe(channel, noteCall)
}
