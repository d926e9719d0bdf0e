import type { PendingQuery, Row, Sql, TransactionSql } from 'postgres'
import { currentPatience } from './request-deadline.ts'

/**
 * One client over two pools: what may wait for a synchronous standby when it commits has connections of its own, so
 * that it cannot take those of requests that only read. In the first pool run reads, and single statements that say
 * that they wait for no standby (`without-standby.ts`).
 */
export function splitCommits(reads: Sql, commits: Sql): Sql {
  const begin = (...given: unknown[]) => {
    const run = given.pop() as (tx: TransactionSql) => unknown
    return (commits.begin as (...args: unknown[]) => unknown)(...given, whilePatient(run))
  }
  return new Proxy(reads, {
    apply(_, self, [first, ...rest]: [unknown, ...unknown[]]) {
      if (!isTemplate(first) || !waitsForStandby(first.join(' '))) {
        return Reflect.apply(reads, self, [first, ...rest]) as unknown
      }
      return whilePatientAlone(commits, Reflect.apply(commits, self, [first, ...rest]) as Statement)
    },
    get(target, name) {
      if (name === 'begin') return begin
      if (name === 'unsafe') {
        return (text: string, ...rest: []) => waitsForStandby(text)
          ? whilePatientAlone(commits, commits.unsafe(text, ...rest) as Statement)
          : reads.unsafe(text, ...rest)
      }
      return Reflect.get(target, name) as unknown
    }
  })
}

const isTemplate = (first: unknown): first is TemplateStringsArray => Array.isArray(first) && 'raw' in first

/** By the statement's first word; `add_job` is the one function of ours that writes. */
export function waitsForStandby(text: string): boolean {
  const word = /^\s*([a-z]+)/i.exec(text)?.[1]?.toLowerCase()
  if (word === 'select' || word === 'show') return text.includes('add_job')
  if (word === 'with' && !/\b(?:insert|update|delete|merge|add_job)\b/i.test(text)) return false
  return !text.includes('synchronous_commit')
}

/** A request that was refused as too late must not begin or commit afterwards, unless it has committed before. */
function whilePatient(run: (tx: TransactionSql) => unknown) {
  const patience = currentPatience()
  return async (tx: TransactionSql) => {
    patience?.assertNotOver()
    const made = run(tx)
    const result = await (Array.isArray(made) ? Promise.all(made) : made) // as the driver does it
    patience?.beforeCommit()
    return result
  }
}

/** What postgres.js keeps in a statement until someone awaits it. */
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
 * A statement that a request sends alone waits in the driver's queue, or at the server behind another's commit, and
 * would be written from there after the answer. In a transaction it is asked once more before it is sent, and before
 * its commit. The same object, since it may be a part of another statement and is sent only when it is awaited.
 */
function whilePatientAlone(commits: Sql, statement: Statement): Statement {
  if (!currentPatience()) return statement
  statement.handler = ({ tagged, strings, args, options, isRaw, resolve, reject }) => {
    commits
      .begin(whilePatient((tx) => {
        const sent = tagged ? tx(strings, ...args) : tx.unsafe(strings[0]!, args, options)
        return Object.assign(sent, { isRaw })
      }))
      .then(resolve, reject)
  }
  return statement
}
