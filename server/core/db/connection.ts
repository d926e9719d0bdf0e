import postgres, { type Sql } from 'postgres'
import type { Config } from '../config.ts'
import { readAddress } from '../database-address.ts'
import { DatabaseError, readOnlyError } from './database-error.ts'
import { toSqlOptions, type SqlOptions } from './driver-options.ts'
import { startEmbedded } from '@svc/embedded-postgres'
import { createOpenSockets, type OpenSockets } from '@svc/postgres-sockets/open-sockets.ts'
import { outliveTransaction } from '@svc/postgres-sockets/socket.ts'
import { openStream, type Route } from '@svc/postgres-sockets/stream.ts'
import { outsideGuards } from './guarded/outgoing-calls.ts'
import { splitCommits } from './split-commits.ts'
import { createHostFinder } from './writable-host.ts'

const MIN_SERVER_VERSION = 140_000
/** The time in which a new connection must become usable. */
const CONNECT_SECONDS = 8
/**
 * A dead connection to a server that has vanished is detected after about this time (plus ten seconds), even if it is
 * idle.
 */
const KEEP_ALIVE_SECONDS = 30
/**
 * The pause between the end of a connection and the next attempt. The driver's own pause is some ten milliseconds, and
 * does not grow with our sockets, so that a listener would retry an unreachable database a hundred times a second.
 */
const AGAIN_SECONDS = 0.25
/** How long statements may still run when everything is closed. */
const LEAVE_SECONDS = 1

export interface ConnectOptions {
  max?: number
  /**
   * The number of separate connections for commits that may wait for a standby. Default: they share the `max`
   * connections.
   */
  commits?: number
  /** Throws DatabaseError if the server accepts no writes. */
  writable?: boolean
  /** Shown in pg_stat_activity as `svc:<name>`. */
  name?: string
  /** Default: those of the database, which `sockets.destroyAll()` closes. */
  sockets?: OpenSockets
}

export interface Connection {
  sql: Sql
  /** The pools behind `sql`. Both are the same pool if it was opened without `commits`. */
  pools: { reads: Sql, commits: Sql }
  kind: 'embedded' | 'server'
  /** Another, plain postgres.js client of the same database, which drizzle does not change. `close` ends it. */
  connect(options?: ConnectOptions): Sql
  /** The sockets of all clients, except those with their own (the heartbeat's). */
  sockets: OpenSockets
  /** Restarts the embedded server if it died. Does nothing for other servers. */
  ensureServer(): Promise<void>
  close(): Promise<void>
}

export type DatabaseSettings = Pick<Config, 'database_url' | 'storage' | 'root'>

/** Without `database_url`, makes sure that the embedded server is running. Throws DatabaseError. */
export async function openConnection(config: DatabaseSettings, options: ConnectOptions = {}): Promise<Connection> {
  const embedded = config.database_url === null ? await startEmbedded(config) : null
  const address = readAddress(embedded?.url() ?? config.database_url!)
  const route: Route = { ...address, find: address.findsWritable ? createHostFinder(address) : null }
  const clients = new Set<Sql>()
  const ours = createOpenSockets()

  function connect({ max = 1, name = 'client', sockets = ours }: ConnectOptions = {}): Sql {
    const settings: SqlOptions = {
      ...toSqlOptions(address, name), max, connect_timeout: CONNECT_SECONDS, keep_alive: KEEP_ALIVE_SECONDS,
      backoff: () => AGAIN_SECONDS,
      socket: () => outsideGuards(() => outliveTransaction(openStream(route, sockets))),
      // A connection that holds a lock or listens must not be renewed without its owner's knowledge.
      ...(max === 1 ? { idle_timeout: 0, max_lifetime: null } : {})
    }
    const client = postgres(settings)
    const end = client.end
    client.end = (options) => {
      clients.delete(client)
      return end(options)
    }
    clients.add(client)
    return client
  }

  async function close() {
    await Promise.all([...clients].map(client => client.end({ timeout: LEAVE_SECONDS })))
    ours.destroyAll() // closes connections whose server does not answer
    await embedded?.release()
  }

  const name = options.name ?? 'server'
  const reads = connect({ max: options.max ?? 10, name })
  const commits = options.commits ? connect({ max: options.commits, name }) : reads
  try {
    await checkServer(reads, options.writable ?? false)
  } catch (error) {
    await close()
    throw error
  }
  return {
    sql: commits === reads ? reads : splitCommits(reads, commits),
    pools: { reads, commits },
    kind: embedded ? 'embedded' : 'server',
    connect,
    sockets: ours,
    ensureServer: async () => await embedded?.ensureRunning(),
    close
  }
}

async function checkServer(sql: Sql, writable: boolean): Promise<void> {
  const { version, is_read_only } = await askServer(sql)
  if (version < MIN_SERVER_VERSION) {
    throw new DatabaseError(
      'database_too_old',
      `PostgreSQL 14 or later is needed, this is ${Math.floor(version / 10_000)}`
    )
  }
  if (writable && is_read_only) throw readOnlyError()
}

async function askServer(sql: Sql): Promise<{ version: number, is_read_only: boolean }> {
  try {
    const [row] = await sql<{ version: number, is_read_only: boolean }[]>`
      select current_setting('server_version_num')::int as version, current_setting('transaction_read_only')::bool as is_read_only`
    return row!
  } catch (error) {
    if (error instanceof DatabaseError) throw error
    const reason = error instanceof AggregateError ? error.errors.map(String).join(', ') : (error as Error).message
    throw new DatabaseError('database_unreachable', `the database does not answer: ${reason}`, error)
  }
}
