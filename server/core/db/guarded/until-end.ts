import type { TransactionSql } from 'postgres'
import { isTemplate } from './watch-statements.ts'

/** Of postgres.js: what sends a statement once it is awaited. */
interface Statement {
  handler (statement: Statement): void
  reject (error: Error): void
}
type Run = (inner: TransactionSql) => unknown

/** Of code that runs in another's transaction. `inside`: how many transactions inside have begun and not ended. */
export interface Stay { isOver: boolean, inside: number }

const ended = () => new Error('its transaction has ended')

function assertStays({ isOver }: Stay): void {
  if (isOver) throw ended()
}

/**
 * The same transaction until the stay is over. Afterwards nothing is sent through it: no statement, also none that was
 * made before, and neither the begin nor the end of a transaction inside, which would undo what others have written.
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

/** A transaction inside. While the driver waits for its code, it sends neither its end nor its rollback. */
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
