import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  closeSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres, { type Sql } from 'postgres'
import { dropStaleLocks, isRunning, postmasterFile } from './lock-files.ts'
import { chooseRunner, findBinaries, run, type Runner } from './process.ts'

export const EMBEDDED_USER = 'postgres'
export const EMBEDDED_DATABASE = 'svc'
const PORT = 5432
const SOCKET_FILE = `.s.PGSQL.${PORT}`
/** `sun_path` holds 108 bytes on Linux and 104 on macOS, the final zero included. */
const MAX_SOCKET_PATH_BYTES = 103
/**
 * Advisory lock in the database `postgres`: shared by attached processes, exclusive for the one that stops the server.
 */
const PRESENCE = 73_310_001
const CLOSE_TIMEOUT_MS = 2000
const START_MS = 60_000
/** For a server that died: the caller retries. */
const AGAIN_MS = 4000

/**
 * Sized for a small machine; a commit is on disk before it is confirmed. Statements are never logged, because they
 * contain personal data.
 */
const SETTINGS: Record<string, string> = {
  fsync: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
  max_connections: '100',
  shared_buffers: '64MB',
  work_mem: '4MB',
  maintenance_work_mem: '32MB',
  max_wal_size: '256MB',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_logical_replication_workers: '0',
  max_parallel_workers_per_gather: '0',
  autovacuum_max_workers: '1',
  io_method: 'sync',
  jit: 'off',
  huge_pages: 'off',
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
  log_error_verbosity: 'terse'
}

export interface Embedded {
  /** Folder of the unix socket; drivers take it as host. */
  socket: string
  port: number
  /** For programs that take a `DATABASE_URL`, this one included. */
  url(database?: string): string
  /**
   * Starts the server again if it died, and attaches again. Costs nothing while it runs. Throws with the end of its log
   * if it does not run within a few seconds; a server that still recovers continues. Throws if its folder was removed:
   * an empty database would look like a new instance.
   */
  ensureRunning(): Promise<void>
  /** The last process to leave stops the server; any other connection keeps it running. */
  release(): Promise<void>
}

interface Place {
  folder: string
  data: string
  log: string
  binaries: string
  runner: Runner
  settings: Record<string, string>
}

/**
 * Attaches to the database server below `storage`, and creates or starts it if necessary. It outlives the process that
 * started it, even after kill -9, and serves every process that attaches. Throws with the end of its log.
 */
export async function startEmbedded(options: {
  storage: string
  root: string
  settings?: Record<string, string>
}): Promise<Embedded> {
  const place = prepare(options)
  let attached = await attachOrStart(place, START_MS)
  const { socket } = attached
  await ensureDatabase(attached.sql, EMBEDDED_DATABASE)
  let released = false
  return {
    socket,
    port: PORT,
    url: (database = EMBEDDED_DATABASE) =>
      `postgres://${EMBEDDED_USER}@localhost/${database}?host=${encodeURIComponent(socket)}`,
    async ensureRunning() {
      if (released || !attached.isBroken()) return
      if (!isMade(place)) throw new Error(`${place.data} is gone: stop the service and put it back from a backup`)
      const { sql } = attached
      attached = await attachOrStart(place, AGAIN_MS)
      await sql.end({ timeout: 0 })
    },
    async release() {
      if (released) return
      released = true
      await leave(place, attached.sql)
    }
  }
}

function prepare({
  storage,
  root,
  settings = {}
}: {
  storage: string
  root: string
  settings?: Record<string, string>
}): Place {
  mkdirSync(storage, { recursive: true })
  const binaries = findBinaries(root)
  const folder = join(storage, 'postgres')
  const data = join(folder, 'data')
  const runner = chooseRunner(binaries, storage, data)
  own(folder, runner)
  return { folder, data, log: join(folder, 'postgres.log'), binaries, runner, settings: { ...SETTINGS, ...settings } }
}

interface Attached {
  sql: Sql
  socket: string
  /** The connection ended because the server died or was stopped. */
  isBroken(): boolean
}

async function attachOrStart(place: Place, within_ms: number): Promise<Attached> {
  const until = performance.now() + within_ms
  let starts = 0
  let child: { gone: boolean } | null = null
  while (performance.now() < until) {
    const attached = await attach(place)
    if (attached) return attached
    if ((!child || child.gone) && !isRunning(place.data)) {
      if (starts++ === 5) break
      await initialise(place)
      child = startServer(place)
    }
    await sleep(child?.gone ? 200 : 15)
  }
  throw new Error(`the embedded database did not start; the end of ${place.log}:\n${tail(place.log)}`)
}

// ---------------------------------------------------------------- attach and leave

async function attach(place: Place): Promise<Attached | null> {
  const socket = postmasterFile(place.data)?.socket
  if (!socket || !existsSync(join(socket, SOCKET_FILE))) return null
  refuseForeign(socket, place.runner.uid)
  let isBroken = false
  const sql = postgres({
    host: socket,
    port: PORT,
    user: EMBEDDED_USER,
    database: 'postgres',
    max: 1,
    idle_timeout: 0,
    max_lifetime: null,
    connect_timeout: 5,
    fetch_types: false,
    connection: { application_name: 'svc:presence' },
    onnotice() {},
    onclose() {
      isBroken = true
    }
  })
  try {
    await sql`select pg_advisory_lock_shared(${PRESENCE}::bigint)`
    return { sql, socket, isBroken: () => isBroken }
  } catch (error) {
    await sql.end({ timeout: 0 })
    if (!isStartingOrStopping(error)) throw error
    return null
  }
}

function isStartingOrStopping(error: unknown): boolean {
  const code = (error as { code?: string }).code ?? ''
  return [
    'ENOENT',
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
    'CONNECT_TIMEOUT',
    'CONNECTION_CLOSED',
    'CONNECTION_ENDED',
    '57P01',
    '57P02',
    '57P03'
  ].includes(code)
}

/** If two processes leave at once, both release the shared lock first and exactly one then gets the exclusive lock. */
async function leave(place: Place, sql: Sql): Promise<void> {
  const pid = postmasterFile(place.data)?.pid
  try {
    const unlocked = sql`select pg_advisory_unlock_shared(${PRESENCE}::bigint)`.then(() => true)
    // Without a reference: the timer must not keep a command alive after its last line.
    const late = sleep(CLOSE_TIMEOUT_MS, false, { ref: false })
    if (!await Promise.race([unlocked, late])) return // the server hangs; the lock ends with the connection
    const [row] = await sql<{ last: boolean }[]>`select pg_try_advisory_lock(${PRESENCE}::bigint) as last`
    if (row?.last && pid && await isAlone(sql)) {
      process.kill(pid, 'SIGINT')
      await sql.end({ timeout: 0 })
      await stopped(place, pid)
    }
  } catch (error) {
    // The server is already shutting down.
    if (!isStartingOrStopping(error) && (error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  } finally {
    await sql.end({ timeout: 0 })
  }
}

/** Connections that we just closed may still be open on the server, for up to two seconds on a slow machine. */
async function isAlone(sql: Sql): Promise<boolean> {
  for (let turn = 0; turn < 100; turn++) {
    const [row] = await sql<{ others: number }[]>`
      select count(*)::int as others from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`
    if (row?.others === 0) return true
    await sleep(20)
  }
  return false
}

async function stopped(place: Place, pid: number): Promise<void> {
  const until = performance.now() + 30_000
  const socket = postmasterFile(place.data)?.socket
  while (postmasterFile(place.data)?.pid === pid && performance.now() < until) await sleep(10)
  if (socket && dirname(socket) !== place.folder) rmSync(socket, { recursive: true, force: true })
}

async function ensureDatabase(sql: Sql, name: string): Promise<void> {
  const found = await sql`select 1 from pg_database where datname = ${name}`
  if (found.length > 0) return
  try {
    await sql`create database ${sql(name)}`
  } catch (error) {
    // Another process created it in the meantime.
    if (!['42P04', '23505'].includes((error as { code?: string }).code ?? '')) throw error
  }
}

// ---------------------------------------------------------------- make and start

const isMade = ({ data }: Place) => existsSync(join(data, 'PG_VERSION'))

/** Runs initdb in a new folder and renames it when complete, so that a crash leaves no partial database. */
async function initialise(place: Place): Promise<void> {
  if (isMade(place)) return
  for (const name of readdirSync(place.folder)) {
    const age = Date.now() - statSync(join(place.folder, name)).mtimeMs
    if (name.startsWith('init-') && age > 600_000) rmSync(join(place.folder, name), { recursive: true, force: true })
  }
  const fresh = mkdtempSync(join(place.folder, 'init-'))
  own(fresh, place.runner)
  const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const args = ['-D', fresh, '-U', EMBEDDED_USER, '-A', 'trust', '-E', 'UTF8', ...locale, '--no-instructions']
  const child = run(place.runner, join(place.binaries, 'initdb'), args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  }
  const [code] = await once(child, 'close')
  if (code !== 0) {
    rmSync(fresh, { recursive: true, force: true })
    throw new Error(`the embedded database could not be made: ${output.trim()}`)
  }
  try {
    renameSync(fresh, place.data)
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true })
    if (!isMade(place)) throw error
  }
}

function startServer(place: Place): { gone: boolean } {
  const folder = socketFolder(place)
  dropStaleLocks({ data: place.data, socketFile: join(folder, SOCKET_FILE) })
  const settings = {
    listen_addresses: '',
    unix_socket_directories: folder,
    unix_socket_permissions: '0700',
    ...place.settings
  }
  const args = [
    '-D',
    place.data,
    '-p',
    String(PORT),
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  ]
  const isLong = existsSync(place.log) && statSync(place.log).size > 1_000_000
  const log = openSync(place.log, isLong ? 'w' : 'a', 0o600)
  const state = { gone: false }
  // A session of its own, so that neither Ctrl-C nor the end of this process stops the server.
  const child = run(place.runner, join(place.binaries, 'postgres'), args, {
    detached: true,
    stdio: ['ignore', log, log]
  })
  for (const end of ['exit', 'error']) child.on(end, () => Object.assign(state, { gone: true }))
  child.unref()
  closeSync(log)
  return state
}

/**
 * Below storage, or in a folder with a random name if that path is too long for a socket. A server that died is started
 * again in its former folder, since connections are made to it.
 */
function socketFolder(place: Place): string {
  const folder = join(place.folder, 'run')
  if (Buffer.byteLength(join(folder, SOCKET_FILE)) <= MAX_SOCKET_PATH_BYTES) {
    own(folder, place.runner)
    return folder
  }
  const former = postmasterFile(place.data)?.socket
  const prefix = join(tmpdir(), 'svc-pg-')
  if (former?.startsWith(prefix) && isOurs(former, place.runner.uid)) return former
  const elsewhere = mkdtempSync(prefix)
  own(elsewhere, place.runner)
  return elsewhere
}

function own(folder: string, runner: Runner): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (process.getuid?.() === 0) chownSync(folder, runner.uid, runner.gid)
  chmodSync(folder, 0o700)
  refuseForeign(folder, runner.uid)
}

/** The owner of the socket's folder could impersonate the database. */
export function refuseForeign(folder: string, uid: number): void {
  if (!isOurs(folder, uid))
    throw new Error(`refusing the folder ${folder}: it must be a folder of user ${uid} with mode 0700`)
}

function isOurs(folder: string, uid: number): boolean {
  const stat = lstatSync(folder, { throwIfNoEntry: false })
  return stat !== undefined && stat.isDirectory() && stat.uid === uid && (stat.mode & 0o077) === 0
}

function tail(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n').slice(-10).join('\n') : '(no log)'
}
