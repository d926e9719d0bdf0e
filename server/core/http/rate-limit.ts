import { sql } from 'drizzle-orm'
import type { Db, Tx } from '@svc/kit'
import { rowsOf } from '../db/rows.ts'
import { WITHOUT_STANDBY } from '../db/without-standby.ts'
import type { Limiter, Limits, LimitState } from '../host.ts'

type Runner = Db | Tx

/**
 * Counters are kept in the database and use its clock. All instances share them, whatever their own clocks show, and
 * they survive restarts.
 */
export function createLimits(db: Runner): Limits {
  const limiters = new Map<string, Limiter>()

  return {
    limiter({ name, points, seconds }) {
      const known = limiters.get(name)
      if (known) return known
      const made = createLimiter(db, { name, points, seconds })
      limiters.set(name, made)
      return made
    },
    pauses: pause => createPauses(db, pause)
  }
}

/** `points`: those taken since the window began, including refused ones. */
interface Count { points: number, seconds_left: number }

interface Window { name: string, points: number, seconds: number }

function createLimiter(db: Runner, { name, points, seconds }: Window): Limiter {
  const keyOf = (key: string) => `${name}:${key}`

  const toState = (count: Count, allowed: boolean): LimitState => ({
    allowed,
    remaining: Math.min(points, Math.max(0, points - count.points)),
    reset: Math.max(1, Math.ceil(count.seconds_left))
  })

  return {
    async peek(key) {
      const [count] = await rowsOf<Count>(db, sql`
        select points, extract(epoch from expire - now())::float8 as seconds_left from core_rate_limit where key = ${keyOf(key)} and expire > now()`)
      return count ? toState(count, count.points < points) : { allowed: true, remaining: points, reset: seconds }
    },
    // One statement, so that each of several concurrent requests gets a different count.
    async take(key) {
      const [count] = await rowsOf<Count>(db, sql`
        insert into core_rate_limit as counted (key, points, expire) values (${keyOf(key)}, 1, now() + ${seconds}::float8 * interval '1 second')
        on conflict (key) do update set
          points = case when counted.expire > now() then counted.points + 1 else 1 end,
          expire = case when counted.expire > now() then counted.expire else excluded.expire end
        returning points, extract(epoch from expire - now())::float8 as seconds_left, ${WITHOUT_STANDBY}`)
      return toState(count!, count!.points <= points)
    },
    async refundAttempt(key) {
      await rowsOf(db, sql`
        update core_rate_limit set points = points - 1 where key = ${keyOf(key)} and expire > now() returning ${WITHOUT_STANDBY}`)
    }
  }
}

/**
 * Also a row of `core_rate_limit`: `points` counts consecutive attempts, `expire` is the end of the pause after the
 * last one.
 */
function createPauses(db: Runner, { name, first, longest }: { name: string, first: number, longest: number }): Limiter {
  const keyOf = (key: string) => `${name}:${key}`
  const toState = (left: number | undefined, allowed: boolean): LimitState =>
    ({ allowed, remaining: 0, reset: Math.max(1, Math.ceil(left ?? 0)) })

  async function peek(key: string): Promise<LimitState> {
    const [pause] = await rowsOf<{ left: number }>(db, sql`
      select extract(epoch from expire - now())::float8 as left from core_rate_limit where key = ${keyOf(key)} and expire > now()`)
    return toState(pause?.left, !pause)
  }

  return {
    peek,
    // One statement, so that only one of several concurrent requests begins the next pause.
    async take(key) {
      const inRow = sql`case when paused.expire > now() - interval '1 hour' then least(paused.points, 30) else 0 end`
      const [pause] = await rowsOf<{ left: number }>(db, sql`
        insert into core_rate_limit as paused (key, points, expire) values (${keyOf(key)}, 1, now() + ${first}::float8 * interval '1 second')
        on conflict (key) do update set
          points = ${inRow} + 1,
          expire = now() + least(${longest}::float8, ${first}::float8 * power(2, ${inRow})) * interval '1 second'
        where paused.expire <= now()
        returning extract(epoch from expire - now())::float8 as left, ${WITHOUT_STANDBY}`)
      return pause ? toState(pause.left, true) : await peek(key)
    },
    async refundAttempt(key) {
      await rowsOf(db, sql`
        update core_rate_limit set points = points - 1, expire = now() where key = ${keyOf(key)} returning ${WITHOUT_STANDBY}`)
    }
  }
}
