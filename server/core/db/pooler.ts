import type { Sql } from 'postgres'
import { ConfigError } from '../config.ts'
import type { Connection } from './connection.ts'

const ROUNDS = 3

interface Answer { session: string, server: number }

/**
 * Checked before anything is locked: a transaction pooler would keep a session lock for ever, on a connection that it
 * then gives to another client. Such a pooler runs one session on two server connections, or two sessions on one; a
 * session pooler does neither. Throws ConfigError.
 */
export async function refuseTransactionPooler({ kind, connect }: Pick<Connection, 'kind' | 'connect'>): Promise<void> {
  if (kind === 'embedded') return
  const [first, second] = [connect({ max: 1, name: 'pooler' }), connect({ max: 1, name: 'pooler' })]
  try {
    const answer = await ask(first)
    if (isDirect(answer)) return
    const seen = { first: [answer], second: [] as Answer[] }
    for (let round = 0; round < ROUNDS; round++) {
      // In this order, it works whether the pooler hands out the connection that was used last or the one used longest
      // ago.
      seen.second.push(await ask(second), await ask(second))
      seen.first.push(await ask(first), await ask(first))
    }
    if (sharesServers(seen.first, seen.second)) throw poolerError()
  } finally {
    await Promise.all([first.end({ timeout: 1 }), second.end({ timeout: 1 })])
  }
}

/** As a simple query, because such poolers break prepared statements. */
async function ask(sql: Sql): Promise<Answer> {
  const rows = await sql.unsafe<{ pid: number }[]>('select pg_backend_pid() as pid')
  return { session: `${rows.state.pid}/${rows.state.secret}`, server: rows[0]!.pid }
}

/** The server sends its own process id when a session starts; a pooler invents the number. */
const isDirect = ({ session, server }: Answer) => session.startsWith(`${server}/`)

function sharesServers(first: Answer[], second: Answer[]): boolean {
  const count = (answers: Answer[], name: keyof Answer) => new Set(answers.map(answer => answer[name])).size
  // A connection that broke meanwhile was reopened on any free server connection.
  if (count(first, 'session') > 1 || count(second, 'session') > 1) return false
  return count(first, 'server') > 1 || count(second, 'server') > 1 || first[0]!.server === second[0]!.server
}

const poolerError = () =>
  new ConfigError([
    'DATABASE_URL points to a transaction pooler, which loses locks and notifications: use the address of the server itself, or a session pooler (PgBouncer: pool_mode = session)'
  ])
