import type { Trouble } from '../types.ts'

/** A use that takes longer hangs. */
const HANGS_MS = 4000
const RECENT_MS = 15_000

export function createTrouble(now: () => number = () => performance.now()): Trouble {
  let since: number | null = null
  let last = -Infinity
  const waiting = new Set<{ began: number }>()

  function clear() {
    since = null
  }

  /** When the oldest of the hanging uses began to hang; null if none hangs. */
  function hangsSince(): number | null {
    const [oldest] = waiting // sorted by their start
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
