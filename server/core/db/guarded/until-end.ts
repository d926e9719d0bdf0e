import type { TransactionSql } from 'postgres'
import { isTemplate } from './watch-statements.ts'

/** A statement of postgres.js, which calls `handler` to send itself once it is awaited. */
interface Statement {
  handler (statement: Statement): void
  reject (error: Error): void
}
type Run = (inner: TransactionSql) => unknown

/** The time during which code runs in another's transaction. `inside`: its savepoints that have begun and not ended. */
export interface Stay { isOver: boolean, inside: number }

const ended = () => new Error('its transaction has ended')

function assertStays({ isOver }: Stay): void {
  if (isOver) throw ended()
}

/**
 * The same transaction until the stay is over. Afterwards it sends nothing: no statement, even if it was created
 * before, and neither the begin nor the end of a savepoint, which would undo what others have written.
 */
export function untilEnd(tx: TransactionSql, stay: Stay): TransactionSql {
  return new Proxy(tx, {
    apply(target, self, given: unknown[]) {
      const made = Reflect.apply(target, self, given) as unknown
      if (!isTemplate(given[0])) return made
      assertStays(stay)
      return onlyBefore(made, stay)
    },
    get(target, name) {
      if (name === 'savepoint') return (...given: unknown[]) => openInside(target, stay, given)
      if (name !== 'unsafe' && name !== 'file') return Reflect.get(target, name) as unknown
      return (...given: unknown[]) => {
        assertStays(stay)
        return onlyBefore((target[name] as (...args: unknown[]) => unknown)(...given), stay)
      }
    }
  })
}

function onlyBefore<T>(made: T, stay: Stay): T {
  const statement = made as Statement
  const send = statement.handler
  statement.handler = () => {
    if (stay.isOver) statement.reject(ended())
    else send(statement)
  }
  return made
}

/**
 * Opens a savepoint. The driver ends it or rolls it back once its code settles, so after the stay that never happens.
 */
async function openInside(tx: TransactionSql, stay: Stay, given: unknown[]): Promise<unknown> {
  assertStays(stay)
  stay.inside++
  const run = given.pop() as Run
  const late = Promise.withResolvers<never>()
  async function runInTime(inner: TransactionSql): Promise<unknown> {
    try {
      assertStays(stay)
      const made = run(untilEnd(inner, stay))
      return await (Array.isArray(made) ? Promise.all(made) : made) // as the driver does
    } finally {
      if (stay.isOver) {
        late.reject(ended())
        await new Promise(() => {})
      }
    }
  }
  try {
    return await Promise.race([(tx.savepoint as (...args: unknown[]) => unknown)(...given, runInTime), late.promise])
  } finally {
    stay.inside--
  }
}
