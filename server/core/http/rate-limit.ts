import { sql } from 'drizzle-orm'
import type { Db } from '@svc/kit'
import { rowsOf } from '../db/rows.ts'
import type { Limiter, Limits, LimitState } from '../services.ts'

/** Counts live in the database and go by its clock: one for all instances, whatever theirs show, and they survive restarts. */
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

/** `points` are those that were taken since the window began, refused ones too. */
interface Count { points: number, seconds_left: number }

function createLimiter(db: Db, { name, points, seconds }: { name: string, points: number, seconds: number }): Limiter {
  const keyOf = (key: string) => `${name}:${key}`

  const toState = (count: Count, allowed: boolean): LimitState =>
    ({ allowed, remaining: Math.min(points, Math.max(0, points - count.points)), reset: Math.max(1, Math.ceil(count.seconds_left)) })

  return {
    async peek(key) {
      const [count] = await rowsOf<Count>(db, sql`
        select points, extract(epoch from expire - now())::float8 as seconds_left from core_rate_limit where key = ${keyOf(key)} and expire > now()`)
      return count ? toState(count, count.points < points) : { allowed: true, remaining: points, reset: seconds }
    },
    // One statement: of any number at once, each sees another count.
    async take(key) {
      const [count] = await rowsOf<Count>(db, sql`
        insert into core_rate_limit as counted (key, points, expire) values (${keyOf(key)}, 1, now() + ${seconds}::float8 * interval '1 second')
        on conflict (key) do update set
          points = case when counted.expire > now() then counted.points + 1 else 1 end,
          expire = case when counted.expire > now() then counted.expire else excluded.expire end
        returning points, extract(epoch from expire - now())::float8 as seconds_left`)
      return toState(count!, count!.points <= points)
    },
    async giveBack(key) {
      await rowsOf(db, sql`update core_rate_limit set points = points - 1 where key = ${keyOf(key)} and expire > now()`)
    }
  }
}
