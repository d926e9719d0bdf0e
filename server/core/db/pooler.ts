import type { Sql } from 'postgres'
import { ConfigError } from '../config.ts'
import type { Connection } from './connection.ts'

const ROUNDS = 3

interface Answer { session: string, server: number }

/**
 * Before anything is locked: a transaction pooler would keep the lock of a session for ever, on a connection that it
 * gives to another client next. It shows when one session runs on two connections of the server, or two sessions on
 * one; a pooler of sessions does neither. Throws ConfigError.
 */
export async function refuseTransactionPooler({ kind, connect }: Pick<Connection, 'kind' | 'connect'>): Promise<void> {
  if (kind === 'embedded') return
  const [first, second] = [connect({ max: 1, name: 'pooler' }), connect({ max: 1, name: 'pooler' })]
  try {
    const answer = await ask(first)
    if (isDirect(answer)) return
    const seen = { first: [answer], second: [] as Answer[] }
    for (let round = 0; round < ROUNDS; round++) {
      // In this order, whether the pooler gives out what it used last or what it used longest ago.
      seen.second.push(await ask(second), await ask(second))
      seen.first.push(await ask(first), await ask(first))
    }
    if (sharesServers(seen.first, seen.second)) throw poolerError()
  } finally {
    await Promise.all([first.end({ timeout: 1 }), second.end({ timeout: 1 })])
  }
}

/** As a simple query: prepared statements are what such poolers lose. */
async function ask(sql: Sql): Promise<Answer> {
  const rows = await sql.unsafe<{ pid: number }[]>('select pg_backend_pid() as pid')
  return { session: `${rows.state.pid}/${rows.state.secret}`, server: rows[0]!.pid }
}

/** The server names its own process when it lets in; a pooler makes the number up. */
const isDirect = ({ session, server }: Answer) => session.startsWith(`${server}/`)

function sharesServers(first: Answer[], second: Answer[]): boolean {
  const count = (answers: Answer[], name: keyof Answer) => new Set(answers.map(answer => answer[name])).size
  // A connection that broke meanwhile was opened again, on whatever was free.
  if (count(first, 'session') > 1 || count(second, 'session') > 1) return false
  return count(first, 'server') > 1 || count(second, 'server') > 1 || first[0]!.server === second[0]!.server
}

const poolerError = () =>
  new ConfigError([
    'DATABASE_URL points to a transaction pooler, which loses locks and notifications: use the address of the server itself, or a session pooler (PgBouncer: pool_mode = session)'
  ])
