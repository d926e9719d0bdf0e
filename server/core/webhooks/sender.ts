import type { Host } from '../host.ts'
import { createTurns } from './turns.ts'
import { deliverNext } from './deliver.ts'
import { createReplicated } from './wait-for-standby.ts'

/** Concurrent requests in this process, one per webhook. Each has a timeout, so that waiting ones get their turn. */
const MAX_CONCURRENT = 20
const STOP_TIMEOUT_MS = 3000

export interface Sender {
  /** Checks this webhook's deliveries. Returns at once. */
  wake (webhook_id: string): void
  /** Lets running requests finish for a while, then aborts them; the next process repeats them. */
  stop (): Promise<void>
}

/**
 * Sends due deliveries apart from the lines of events: a receiver that hangs delays only its own webhook, and blocks no
 * worker of the events. A webhook that has just sent goes to the end of the queue, so that its many deliveries delay no
 * other.
 */
export function createSender(host: Host): Sender {
  const stopping = new AbortController()
  const sending = {
    signal: stopping.signal,
    replicated: createReplicated(host.db),
    again: (webhook_id: string, in_seconds: number) => turns.add(webhook_id, webhook_id, in_seconds)
  }
  const turns = createTurns<string>({
    max_running: MAX_CONCURRENT,
    run: webhook_id => deliverNext(host, webhook_id, sending),
    // The lease will end, and the next poll will find the delivery.
    onError: (error, webhook) => host.log.error('webhook.not_recorded', { webhook, error })
  })

  return {
    wake: webhook_id => turns.add(webhook_id, webhook_id),
    async stop() {
      await turns.stop(STOP_TIMEOUT_MS)
      stopping.abort()
      await turns.ended()
    }
  }
}
