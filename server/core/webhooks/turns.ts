import { setTimeout as pause } from 'node:timers/promises'

/** A timer may fire a little early, before the row is due. */
const LOCKED_RETRY_MS = 10

export interface Turns<T> {
  /** Requests a turn, now or in `in_seconds`. Returns at once. A waiting turn with the same key is replaced. */
  add(key: string, task: T, in_seconds?: number): void
  /** Whether a task waits because the maximum number is running. A task that waits for its own key does not count. */
  isFull(): boolean
  /** Starts no further turn, and waits for running ones, at most so long. */
  stop(timeout_ms: number): Promise<void>
  /** Settles when no turn is running. */
  ended(): Promise<void>
}

interface Settings<T> {
  /** The maximum number of concurrent turns, each with another key. */
  max_running: number
  /** True if there may be more work, which then waits behind the other keys. */
  run(task: T): Promise<boolean>
  onError(error: unknown, task: T): void
}

/**
 * Work of this process, with at most one turn per key at a time. A request during a turn of the same key gets a turn
 * afterwards, so that no request is lost.
 */
export function createTurns<T>({ max_running, run, onError }: Settings<T>): Turns<T> {
  const waiting = new Map<string, T>()
  const running = new Map<string, Promise<void>>()
  let isStopped = false

  function add(key: string, task: T, in_seconds = 0) {
    if (isStopped) return
    if (in_seconds > 0) {
      setTimeout(() => add(key, task), in_seconds * 1000 + LOCKED_RETRY_MS).unref()
      return
    }
    waiting.set(key, task)
    begin()
  }

  function begin() {
    for (const [key, task] of waiting) {
      if (isStopped || running.size >= max_running) return
      if (running.has(key)) continue
      waiting.delete(key)
      running.set(key, take(key, task))
    }
  }

  async function take(key: string, task: T) {
    try {
      if (await run(task) && !waiting.has(key)) waiting.set(key, task)
    } catch (error) {
      onError(error, task)
    }
    running.delete(key)
    begin()
  }

  const ended = async () => void await Promise.all(running.values())
  return {
    add,
    isFull: () => [...waiting.keys()].some(key => !running.has(key)),
    ended,
    async stop(timeout_ms) {
      isStopped = true
      const timer = new AbortController()
      await Promise.race([ended(), pause(timeout_ms, null, { signal: timer.signal }).catch(() => {})])
      timer.abort()
    }
  }
}
