import type { Sql, TransactionSql } from 'postgres'
import { currentPatience } from './patience.ts'

/**
 * One client over two pools: what may wait for a synchronous standby when it commits has connections of its own, so
 * that it cannot take those of requests that only read. In the first pool run reads, and single statements that say
 * that they wait for no standby (`without-standby.ts`).
 */
export function splitCommits(reads: Sql, commits: Sql): Sql {
  const pick = (text: string) => waitsForStandby(text) ? commits : reads
  const begin = (...given: unknown[]) => {
    const run = given.pop() as (tx: TransactionSql) => unknown
    return (commits.begin as (...args: unknown[]) => unknown)(...given, whilePatient(run))
  }
  return new Proxy(reads, {
    apply(_, self, [first, ...rest]: [unknown, ...unknown[]]) {
      const client = isTemplate(first) ? pick(first.join(' ')) : reads
      return Reflect.apply(client, self, [first, ...rest]) as unknown
    },
    get(target, name) {
      if (name === 'begin') return begin
      if (name === 'unsafe') return (text: string, ...rest: []) => pick(text).unsafe(text, ...rest)
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

/** A request that was told that it came too late must not begin or commit afterwards. */
function whilePatient(run: (tx: TransactionSql) => unknown) {
  const patience = currentPatience()
  return async (tx: TransactionSql) => {
    patience?.assertNotOver()
    const made = run(tx)
    const result = await (Array.isArray(made) ? Promise.all(made) : made) // as the driver does it
    patience?.assertNotOver()
    return result
  }
}
