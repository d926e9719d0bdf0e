import { Socket } from 'node:net'
import type { PoolConfig } from 'pg'
import postgres, { type Options, type Sql } from 'postgres'
import type { Config } from '../config.ts'
import { EMBEDDED_DATABASE, EMBEDDED_USER, startEmbedded, type Embedded } from './embedded.ts'
import { createOpenSockets, type OpenSockets } from './open-sockets.ts'
import { socketsFor, tlsOf, type Tls } from './socket.ts'

const OLDEST_SERVER = 140_000
/** For a new connection, until it can be used. */
const CONNECT_SECONDS = 8
/** A connection that waits for nothing, to a server that vanished, is found dead after about so long (and ten seconds). */
const KEEP_ALIVE_SECONDS = 30
/** For statements that still run when everything is closed. */
const LEAVE_SECONDS = 1

export interface ConnectOptions {
  max?: number
  /** Shown in pg_stat_activity as `svc:<name>`. */
  name?: string
  /** This connection's own, which `sockets.cut()` ends, unless told otherwise. */
  sockets?: OpenSockets
}

export interface Connection {
  sql: Sql
  kind: 'embedded' | 'server'
  /** A further, plain postgres.js client to the same database, not touched by drizzle; ended by `close`. */
  connect(options?: ConnectOptions): Sql
  /** For the job library's own pool. */
  pg: PoolConfig
  /** Of all clients but those with sockets of their own (the pulse's), and of the job library's pool. */
  sockets: OpenSockets
  close(): Promise<void>
}

/** The database does not answer, or is too old. The cause keeps the driver's error; no message holds a password. */
export class DatabaseError extends Error {
  readonly code: 'database_unreachable' | 'database_too_old'
  constructor(code: DatabaseError['code'], message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'DatabaseError'
    this.code = code
  }
}

/** `socket` is an option of postgres.js that its types do not know. */
type Target = Options<Record<string, never>> & { socket?: ReturnType<typeof socketsFor> }
export type DatabaseSettings = Pick<Config, 'database_url' | 'storage' | 'root'>

/** Without `database_url` makes sure that the embedded server runs. Throws DatabaseError. */
export async function openConnection(config: DatabaseSettings, options: ConnectOptions = {}): Promise<Connection> {
  const embedded = config.database_url === null ? await startEmbedded(config) : null
  const { url, target, pg, tls } = embedded ? embeddedTarget(embedded) : serverTarget(config.database_url!)
  const clients = new Set<Sql>()
  const ours = createOpenSockets()

  function connect({ max = 1, name = 'client', sockets = ours }: ConnectOptions = {}): Sql {
    const settings: Target = {
      ...target, max, connect_timeout: CONNECT_SECONDS, keep_alive: KEEP_ALIVE_SECONDS, onnotice() {}, ssl: false, socket: socketsFor(tls, sockets),
      // A connection that holds a lock or listens must not be renewed behind its owner's back.
      ...(max === 1 ? { idle_timeout: 0, max_lifetime: null } : {}),
      connection: { application_name: `svc:${name}`, TimeZone: 'UTC' }
    }
    const client = url === null ? postgres(settings) : postgres(url, settings)
    clients.add(client)
    return client
  }

  async function close() {
    await Promise.all([...clients].map(client => client.end({ timeout: LEAVE_SECONDS })))
    ours.cut() // what answers no farewell
    await embedded?.release()
  }

  const sql = connect({ max: options.max ?? 10, name: options.name ?? 'server' })
  try {
    await checkServer(sql)
  } catch (error) {
    await close()
    throw error
  }
  return { sql, kind: embedded ? 'embedded' : 'server', connect, pg: { ...pg, ...forJobs(ours) }, sockets: ours, close }
}

const forJobs = (sockets: OpenSockets): PoolConfig => ({
  stream: () => sockets.add(new Socket()), keepAlive: true, keepAliveInitialDelayMillis: KEEP_ALIVE_SECONDS * 1000, connectionTimeoutMillis: CONNECT_SECONDS * 1000
})

async function checkServer(sql: Sql): Promise<void> {
  let version: number
  try {
    const [row] = await sql<{ version: number }[]>`select current_setting('server_version_num')::int as version`
    version = row!.version
  } catch (error) {
    const reason = error instanceof AggregateError ? error.errors.map(String).join(', ') : (error as Error).message
    throw new DatabaseError('database_unreachable', `the database does not answer: ${reason}`, error)
  }
  if (version < OLDEST_SERVER) throw new DatabaseError('database_too_old', `PostgreSQL 14 or later is needed, this is ${Math.floor(version / 10_000)}`)
}

function embeddedTarget({ socket, port }: Embedded) {
  const common = { host: socket, port, user: EMBEDDED_USER, database: EMBEDDED_DATABASE }
  return { url: null, target: common as Target, pg: common as PoolConfig, tls: false as const }
}

/** libpq's `?host=/folder` names a unix socket; postgres.js would take it for a setting of the server. */
function serverTarget(text: string): { url: string | null, target: Target, pg: PoolConfig, tls: Tls } {
  const url = new URL(text)
  const tls = tlsOf(url)
  const socket = url.searchParams.get('host')
  if (!socket?.startsWith('/')) {
    for (const name of ['ssl', 'sslmode', 'sslrootcert']) url.searchParams.delete(name)
    return { url: url.href, target: {}, pg: { connectionString: text }, tls }
  }

  const common = {
    host: socket,
    port: Number(url.searchParams.get('port') ?? (url.port || 5432)),
    user: decodeURIComponent(url.username) || url.searchParams.get('user') || EMBEDDED_USER,
    database: decodeURIComponent(url.pathname.slice(1)),
    ...(url.password ? { password: decodeURIComponent(url.password) } : {})
  }
  return { url: null, target: common as Target, pg: common as PoolConfig, tls: false }
}
