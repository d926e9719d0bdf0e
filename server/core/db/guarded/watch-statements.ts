import type { TransactionSql } from 'postgres'

/**
 * The same transaction, which calls `onStatement` with the text of each statement when it is created, also in
 * savepoints. If that throws, the statement is not sent.
 */
export function watchStatements(tx: TransactionSql, onStatement: (text: string) => void): TransactionSql {
  return new Proxy(tx, {
    apply(target, self, given: unknown[]) {
      if (isTemplate(given[0])) onStatement(given[0].join(' '))
      return Reflect.apply(target, self, given) as unknown
    },
    get(target, name) {
      if (name === 'unsafe') {
        return (text: string, ...rest: []) => {
          onStatement(text)
          return target.unsafe(text, ...rest)
        }
      }
      if (name === 'savepoint') {
        return (...given: unknown[]) => {
          const run = given.pop() as (inner: TransactionSql) => unknown
          const watched = (inner: TransactionSql) => run(watchStatements(inner, onStatement))
          return (target.savepoint as (...args: unknown[]) => unknown)(...given, watched)
        }
      }
      return Reflect.get(target, name) as unknown
    }
  })
}

export const isTemplate = (first: unknown): first is TemplateStringsArray => Array.isArray(first) && 'raw' in first
