import type { Ctx, Tx } from '@svc/kit'
import { clientOf } from '../../../server/core/db/lock.ts'
import { transactionOver } from '../../../server/core/db/guarded/run-in-savepoint.ts'
import { watchStatements } from '../../../server/core/db/guarded/watch-statements.ts'

const STATEMENTS = ['select', 'insert', 'update', 'delete', 'execute']

/**
 * The same context, which calls `point` wherever a process could end: before and after each outgoing call, before each
 * statement, before each commit and after it.
 */
export function atEachPoint(ctx: Ctx, point: () => void): Ctx {
  const watched = (tx: Tx): Tx => transactionOver(watchStatements(clientOf(tx), point))

  const transaction: Ctx['db']['transaction'] = async (run) => {
    const result = await ctx.db.transaction(async (tx) => {
      const made = await run(watched(tx))
      point()
      return made
    })
    point()
    return result
  }

  const db = new Proxy(ctx.db, {
    get(target, name) {
      if (name === 'transaction') return transaction
      const value = Reflect.get(target, name) as unknown
      if (!STATEMENTS.includes(String(name))) return value
      return (...given: unknown[]) => {
        point()
        return Reflect.apply(value as (...args: unknown[]) => unknown, target, given)
      }
    }
  })

  const http: Ctx['http'] = {
    async fetch(url, request) {
      point()
      const answer = await ctx.http.fetch(url, request)
      point()
      return answer
    }
  }

  return { ...ctx, db, http }
}

class Killed extends Error {}

/**
 * Runs with a context that ends at its nth point: nothing that would come after it happens, not even the work of a
 * `catch`. What a transaction has written by then is rolled back, as it is when a process is killed. Returns whether it
 * got to its end, and how many points there were.
 */
export async function dyingAt(
  at: number,
  ctx: Ctx,
  run: (ctx: Ctx) => Promise<unknown>
): Promise<{ lived: boolean, points: number }> {
  let points = 0
  const dying = atEachPoint(ctx, () => {
    points += 1
    if (at > 0 && points >= at) throw new Killed(`at point ${points}`)
  })
  try {
    await run(dying)
    return { lived: at === 0 || points < at, points }
  } catch (error) {
    if (!(at > 0 && points >= at)) throw error
    return { lived: false, points }
  }
}
