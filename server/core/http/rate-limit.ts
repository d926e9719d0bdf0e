import { RateLimiterDrizzle, type RateLimiterRes } from 'rate-limiter-flexible'
import type { Db } from '@svc/kit'
import { coreRateLimit } from '../db/schema.ts'
import type { Limiter, Limits, LimitState } from '../services.ts'

/** Counts live in the database: one for all instances, and they survive restarts. The atomic store only. */
export function createLimits(db: Db): Limits {
  const limiters = new Map<string, Limiter>()

  return {
    limiter({ name, points, seconds }) {
      const known = limiters.get(name)
      if (known) return known
      const made = createLimiter(db, { name, points, seconds })
      limiters.set(name, made)
      return made
    }
  }
}

function createLimiter(db: Db, { name, points, seconds }: { name: string, points: number, seconds: number }): Limiter {
  // The worker's prune task deletes what has expired; the library's own timer would be one per limiter.
  const store = new RateLimiterDrizzle({ storeClient: db, schema: coreRateLimit, keyPrefix: name, points, duration: seconds, clearExpiredByTimeout: false })

  const toState = (result: RateLimiterRes, allowed: boolean): LimitState =>
    ({ allowed, remaining: Math.min(points, Math.max(0, result.remainingPoints)), reset: Math.max(1, Math.ceil(result.msBeforeNext / 1000)) })

  return {
    async peek(key) {
      const result = await store.get(key)
      return result ? toState(result, result.consumedPoints < points) : { allowed: true, remaining: points, reset: seconds }
    },
    async take(key) {
      try {
        return toState(await store.consume(key), true)
      } catch (refused) {
        if (refused instanceof Error) throw refused
        return toState(refused as RateLimiterRes, false)
      }
    },
    async giveBack(key) {
      await store.reward(key)
    }
  }
}
