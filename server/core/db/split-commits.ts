import type { PendingQuery, Row, Sql, TransactionSql } from 'postgres'
import { currentDeadline } from './request-deadline.ts'
import { isTemplate, watchStatements } from './guarded/watch-statements.ts'

/**
 * One client over two pools. Commits that may wait for a synchronous standby have connections of their own, so that
 * they can't take those of requests that only read. The first pool runs reads, and single statements that are marked as
 * not waiting for a standby (`without-standby.ts`).
 */
export function splitCommits(reads: Sql, commits: Sql): Sql {
  const begin = (...given: unknown[]) => {
    const run = given.pop() as (tx: TransactionSql) => unknown
    return (commits.begin as (...args: unknown[]) => unknown)(...given, whileWaiting(run))
  }
  return new Proxy(reads, {
    apply(_, self, [first, ...rest]: [unknown, ...unknown[]]) {
      if (!isTemplate(first) || !waitsForStandby(first.join(' '))) {
        return Reflect.apply(reads, self, [first, ...rest]) as unknown
      }
      return whileWaitingAlone(commits, Reflect.apply(commits, self, [first, ...rest]) as Statement)
    },
    get(target, name) {
      if (name === 'begin') return begin
      if (name === 'unsafe') {
        return (text: string, ...rest: []) => waitsForStandby(text)
          ? whileWaitingAlone(commits, commits.unsafe(text, ...rest) as Statement)
          : reads.unsafe(text, ...rest)
      }
      return Reflect.get(target, name) as unknown
    }
  })
}

/** Decided by the first word of the statement; `pg_notify` is our only function that writes. */
export function waitsForStandby(text: string): boolean {
  const word = /^\s*([a-z]+)/i.exec(text)?.[1]?.toLowerCase()
  if (word === 'select' || word === 'show') return text.includes('pg_notify') && !text.includes('synchronous_commit')
  if (word === 'with' && !/\b(?:insert|update|delete|merge|pg_notify)\b/i.test(text)) return false
  return !text.includes('synchronous_commit')
}

/**
 * A request that was refused as too late must not start or commit a transaction afterwards, unless it has already
 * committed one. A read-only transaction has committed nothing.
 */
function whileWaiting(run: (tx: TransactionSql) => unknown) {
  const deadline = currentDeadline()
  if (!deadline) return run
  return async (tx: TransactionSql) => {
    deadline.assertNotOver()
    let hasWritten = false
    const made = run(watchStatements(tx, (text) => {
      if (mayWrite(text)) hasWritten = true
    }))
    const result = await (Array.isArray(made) ? Promise.all(made) : made) // as the driver does
    if (hasWritten) deadline.beforeCommit()
    else deadline.assertNotOver()
    return result
  }
}

/**
 * False for statements that only read, lock, or set something for their own transaction. An unknown statement counts as
 * a write.
 */
export function mayWrite(text: string): boolean {
  const word = /^\s*([a-z]+)/i.exec(text)?.[1]?.toLowerCase()
  return word !== 'set' && word !== 'lock' && waitsForStandby(text)
}

/** The fields that postgres.js stores in a statement until it is awaited. */
type Statement = PendingQuery<Row[]> & {
  tagged: boolean
  strings: TemplateStringsArray
  args: never[]
  options: object
  isRaw?: boolean | 'values'
  handler: (self: Statement) => void
  resolve: (rows: unknown) => void
  reject: (error: unknown) => void
}

/**
 * A statement outside a transaction waits in the driver's queue, or at the server for another's commit, and could be
 * written from there after the request's answer. Here it runs in a transaction, which checks the deadline again before
 * it is sent and before its commit. Returns the same object, since it may be part of another statement, and is sent
 * only when it is awaited.
 */
function whileWaitingAlone(commits: Sql, statement: Statement): Statement {
  if (!currentDeadline()) return statement
  statement.handler = ({ tagged, strings, args, options, isRaw, resolve, reject }) => {
    commits
      .begin(whileWaiting((tx) => {
        const sent = tagged ? tx(strings, ...args) : tx.unsafe(strings[0]!, args, options)
        return Object.assign(sent, { isRaw })
      }))
      .then(resolve, reject)
  }
  return statement
}
