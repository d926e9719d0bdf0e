import { problem, type Channel } from '@svc/kit'

const SLOW_MS = 30_000
const RETRY_SECONDS = 30
const WAITING = 'Another message of this channel has been waiting for its provider for a while.'

interface Pace { running: number, isSlow: boolean }
const paces = new WeakMap<Channel, Pace>()

/**
 * A circuit breaker for each channel. Once a message is slow, one at a time is sent until one isn't, and the others
 * fail at once: a provider that hangs must not keep all workers from their other work.
 */
export async function inPace<T>(channel: Channel, send: () => Promise<T>): Promise<T> {
  const pace = paces.get(channel) ?? { running: 0, isSlow: false }
  paces.set(channel, pace)
  if (pace.isSlow && pace.running > 0) throw problem('busy', { retry_after: RETRY_SECONDS, detail: WAITING })
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    pace.isSlow = true
  }, SLOW_MS)
  pace.running++
  try {
    return await send()
  } finally {
    clearTimeout(timer)
    pace.running--
    if (!isLate) pace.isSlow = false
  }
}
