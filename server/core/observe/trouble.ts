/** What a part of this process says of something outside of it: whether it fails, and for how long. */
export interface Trouble {
  /** It has just failed. */
  note(): void
  /** It has just worked. */
  clear(): void
  /** The same for what works only as far as a small try can tell: a failure of a moment ago counts for more. */
  clearUnlessRecent(): void
  /** Follows one use of it, which counts as failing while it is not over in time. */
  watch<T>(use: Promise<T>): Promise<T>
  /** For how long it has failed, at least 1; 0 when it does not. */
  seconds(): number
}

/** Whoever waits for longer waits for something that hangs. */
const HANGS_MS = 4000
const RECENT_MS = 15_000

export function createTrouble(now: () => number = () => performance.now()): Trouble {
  let since: number | null = null
  let last = -Infinity
  const waiting = new Set<{ began: number }>()

  function clear() {
    since = null
  }

  /** When the oldest use of those that hang began to hang; null when none does. */
  function hangsSince(): number | null {
    const [oldest] = waiting // in the order in which they began
    return oldest && now() - oldest.began >= HANGS_MS ? oldest.began + HANGS_MS : null
  }

  return {
    note() {
      last = now()
      since ??= last
    },
    clear,
    clearUnlessRecent() {
      if (now() - last > RECENT_MS) clear()
    },
    async watch(use) {
      const one = { began: now() }
      waiting.add(one)
      try {
        return await use
      } finally {
        waiting.delete(one)
      }
    },
    seconds() {
      const begins = [since, hangsSince()].filter(at => at !== null)
      return begins.length === 0 ? 0 : Math.max(1, (now() - Math.min(...begins)) / 1000)
    }
  }
}
