import type { TransactionSql } from 'postgres'
import { isTemplate } from './watch-statements.ts'

/** A statement of postgres.js, which calls `handler` to send itself once it is awaited. */
interface Statement {
  handler (statement: Statement): void
  reject (error: Error): void
}
type Body = (inner: TransactionSql) => unknown

/** The time during which code may use another's transaction. */
export interface TransactionScope {
  isClosed: boolean
  /** Savepoints that have begun and not ended. */
  open_savepoints: number
  /** Called with the text of each statement when it is created. If it throws, the statement is not sent. */
  checkStatement (text: string): void
}

const closedError = () => new Error('its transaction has ended')

function assertStillOpen({ isClosed }: TransactionScope): void {
  if (isClosed) throw closedError()
}

/**
 * The same transaction until the scope is closed. Afterwards it sends nothing: no statement, even if it was created
 * before, and neither the begin nor the end of a savepoint, which would undo what others have written.
 */
export function scopedTransaction(tx: TransactionSql, scope: TransactionScope): TransactionSql {
  return new Proxy(tx, {
    apply(target, self, given: unknown[]) {
      const [first] = given
      if (!isTemplate(first)) return Reflect.apply(target, self, given) as unknown
      assertStillOpen(scope)
      scope.checkStatement(first.join(' '))
      return blockAfterClose(Reflect.apply(target, self, given) as unknown, scope)
    },
    get(target, name) {
      if (name === 'savepoint') return (...given: unknown[]) => openSavepoint(target, scope, given)
      // The driver's way to end the transaction with PREPARE TRANSACTION instead of a commit.
      if (name === 'prepare') return () => scope.checkStatement('prepare transaction')
      if (name !== 'unsafe' && name !== 'file') return Reflect.get(target, name) as unknown
      return (...given: unknown[]) => {
        assertStillOpen(scope)
        if (name === 'unsafe') scope.checkStatement(String(given[0]))
        return blockAfterClose((target[name] as (...args: unknown[]) => unknown)(...given), scope)
      }
    }
  })
}

function blockAfterClose<T>(made: T, scope: TransactionScope): T {
  const statement = made as Statement
  const send = statement.handler
  statement.handler = () => {
    if (scope.isClosed) statement.reject(closedError())
    else send(statement)
  }
  return made
}

/**
 * Opens a savepoint. The driver ends it or rolls it back once its code settles; after the scope is closed, this code
 * never settles, so that the driver does neither.
 */
async function openSavepoint(tx: TransactionSql, scope: TransactionScope, given: unknown[]): Promise<unknown> {
  assertStillOpen(scope)
  scope.open_savepoints++
  const run = given.pop() as Body
  const late = Promise.withResolvers<never>()
  async function runInTime(inner: TransactionSql): Promise<unknown> {
    try {
      assertStillOpen(scope)
      const made = run(scopedTransaction(inner, scope))
      return await (Array.isArray(made) ? Promise.all(made) : made) // as the driver does
    } finally {
      if (scope.isClosed) {
        late.reject(closedError())
        await new Promise(() => {})
      }
    }
  }
  try {
    return await Promise.race([(tx.savepoint as (...args: unknown[]) => unknown)(...given, runInTime), late.promise])
  } finally {
    scope.open_savepoints--
  }
}
