import { sql } from 'drizzle-orm'
import type { Tx } from '@svc/kit'
import type { TransactionSql } from 'postgres'

/** The part of drizzle's transaction that sends statements. */
interface Session { client: TransactionSql }

/**
 * Runs a module's code in a savepoint of the caller's transaction, which continues after it. Throws what `ask` throws,
 * and if it takes longer than `ms` or leaves a failed statement. Afterwards the connection belongs to others, so `ask`
 * can no longer use the `tx` that it got.
 */
export async function askInTransaction<T>(tx: Tx, ms: number, ask: (tx: Tx) => T | Promise<T>): Promise<T> {
  return await tx.transaction(async (nested) => {
    // A statement that waits would keep the connection after the deadline.
    const before = await limitStatements(tx, String(ms))
    const { session } = nested as unknown as { session: Session }
    const door = { isClosed: false }
    session.client = closable(session.client, door)
    const answer = await within(ms, async () => await ask(nested)).finally(() => {
      door.isClosed = true
    })
    await limitStatements(tx, before)
    return answer
  })
}

/** Returns the limit so far. */
async function limitStatements(tx: Tx, limit: string): Promise<string> {
  const [row] = await tx.execute<{ before: string }>(sql`
    select before, set_config('statement_timeout', ${limit}, true)
    from (select current_setting('statement_timeout') as before offset 0) as setting`)
  return row!.before
}

async function within<T>(ms: number, work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it did not answer within ${ms / 1000} seconds`)), ms)
  })
  try {
    return await Promise.race([work(), late])
  } finally {
    clearTimeout(timer)
  }
}

/** A client that refuses new statements once the door is closed, also in savepoints. */
function closable(client: TransactionSql, door: { isClosed: boolean }): TransactionSql {
  const assertOpen = () => {
    if (door.isClosed) throw new Error('its transaction has ended')
  }
  return new Proxy(client, {
    apply(target, self, given) {
      assertOpen()
      return Reflect.apply(target, self, given) as unknown
    },
    get(target, name) {
      if (name === 'unsafe') {
        return (...given: Parameters<TransactionSql['unsafe']>) => {
          assertOpen()
          return target.unsafe(...given)
        }
      }
      if (name === 'savepoint') {
        return (...given: unknown[]) => {
          assertOpen()
          const run = given.pop() as (inner: TransactionSql) => unknown
          const guarded = (inner: TransactionSql) => run(closable(inner, door))
          return (target.savepoint as (...args: unknown[]) => unknown)(...given, guarded)
        }
      }
      return Reflect.get(target, name) as unknown
    }
  })
}
