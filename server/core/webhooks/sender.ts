import { setTimeout as pause } from 'node:timers/promises'
import type { Host } from '../host.ts'
import { deliverNext } from './deliver.ts'
import { createReplicated } from './wait-for-standby.ts'

/** Concurrent requests in this process, one per webhook. Each has a timeout, so that waiting ones get their turn. */
const MOST_AT_ONCE = 20
const PATIENCE_MS = 3000

export interface Sender {
  /** Checks this webhook's deliveries. Returns at once. */
  wake (webhook_id: string): void
  /** Lets running requests finish for a while, then aborts them; the next process repeats them. */
  stop (): Promise<void>
}

/**
 * Sends due deliveries outside the job library: a receiver that hangs delays only its own webhook, and blocks no worker
 * of the events. A webhook that has just sent goes to the end of the queue, so that its many deliveries delay no other.
 */
export function createSender(host: Host): Sender {
  const waiting = new Set<string>()
  const running = new Map<string, Promise<void>>()
  const stopping = new AbortController()
  const sending = { signal: stopping.signal, replicated: createReplicated(host.db) }
  let stopped = false

  function wake(webhook_id: string) {
    waiting.add(webhook_id)
    pump()
  }

  function pump() {
    for (const webhook_id of waiting) {
      if (stopped || running.size >= MOST_AT_ONCE) return
      if (running.has(webhook_id)) continue // checks again when it has finished
      waiting.delete(webhook_id)
      running.set(webhook_id, run(webhook_id))
    }
  }

  async function run(webhook_id: string) {
    try {
      if (await deliverNext(host, webhook_id, sending)) waiting.add(webhook_id)
    } catch (error) {
      // The lease will end, and the sweep will find the delivery.
      host.log.error('webhook.not_recorded', { webhook: webhook_id, error })
    }
    running.delete(webhook_id)
    pump()
  }

  return {
    wake,
    async stop() {
      stopped = true
      const patience = new AbortController()
      const ended = Promise.all(running.values())
      await Promise.race([ended, pause(PATIENCE_MS, null, { signal: patience.signal }).catch(() => {})])
      patience.abort()
      stopping.abort()
      await ended
    }
  }
}
