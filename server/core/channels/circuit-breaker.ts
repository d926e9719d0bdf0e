import { problem, type Channel } from '@svc/kit'

const SLOW_AFTER_MS = 30_000
const RETRY_SECONDS = 30
const WAITING = 'Another message of this channel has been waiting for its provider for a while.'

interface Circuit { running: number, isSlow: boolean }
const circuits = new WeakMap<Channel, Circuit>()

/**
 * A circuit breaker for each channel. Once a message is slow, one at a time is sent until one isn't, and the others
 * fail at once: a provider that hangs must not keep all workers from their other work.
 */
export async function withCircuitBreaker<T>(channel: Channel, send: () => Promise<T>): Promise<T> {
  const circuit = circuits.get(channel) ?? { running: 0, isSlow: false }
  circuits.set(channel, circuit)
  if (circuit.isSlow && circuit.running > 0) throw problem('busy', { retry_after: RETRY_SECONDS, detail: WAITING })
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    circuit.isSlow = true
  }, SLOW_AFTER_MS)
  circuit.running++
  try {
    return await send()
  } finally {
    clearTimeout(timer)
    circuit.running--
    if (!isLate) circuit.isSlow = false
  }
}
