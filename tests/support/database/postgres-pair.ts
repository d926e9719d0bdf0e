import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import postgres, { type Row, type Sql } from 'postgres'
import { chooseRunner, findBinaries, run, type Runner } from '@svc/embedded-postgres/process.ts'
import { freePort, textOf, until } from '../cli.ts'
import { root } from '../modules/official.ts'
import { aQuickFolder } from './quick-folder.ts'

export interface PostgresServer {
  port: number
  url (database?: string): string
  /** One statement as the superuser, in the database `postgres`. */
  ask<T extends Row = Row> (statement: string): Promise<T[]>
  /** Starts it again after a stop. Resolves when it accepts connections. */
  start (): Promise<void>
  /** SIGQUIT is a crash. SIGINT is an orderly stop, after which the standby has everything that was committed. */
  stop (signal?: 'SIGQUIT' | 'SIGINT'): Promise<void>
}

/** A primary and a standby that streams from it. Both accept connections; the standby is read-only until `promote`. */
export interface PostgresPair {
  primary: PostgresServer
  standby: PostgresServer
  /** With synchronous replication a commit on the primary waits until the standby has it. Off by default. */
  replicateSynchronously (isOn: boolean): Promise<void>
  /** Resolves when the standby has everything that is committed on the primary now. */
  caughtUp (): Promise<void>
  /** The standby accepts writes from now on. The primary is not changed: stop it first, or let both run. */
  promote (): Promise<void>
  close (): Promise<void>
}

/** A test run need not survive a crash of the machine, so nothing waits for a disk. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'off',
  full_page_writes: 'off',
  shared_buffers: '64MB',
  wal_level: 'replica',
  wal_keep_size: '1GB',
  wal_receiver_status_interval: '1s',
  wal_retrieve_retry_interval: '100ms'
}

interface Place { folder: string, binaries: string, runner: Runner }

/** Created with the distribution's server if there is one, otherwise with the embedded one. */
export async function aPostgresPair(): Promise<PostgresPair> {
  const place = prepare()
  const primary = await makeServer(place, 'primary')
  const standby = await makeServer(place, 'standby')
  await initialise(place, { primary, standby })
  await primary.start()
  await standby.start()

  return {
    primary,
    standby,
    async replicateSynchronously(isOn) {
      await primary.ask(`alter system set synchronous_standby_names = '${isOn ? '*' : ''}'`)
      await primary.ask('select pg_reload_conf()')
      const state = isOn ? 'sync' : 'async'
      const find = () => primary.ask(`select 1 from pg_stat_replication where sync_state = '${state}'`)
      await until(async () => (await find()).length > 0)
    },
    async caughtUp() {
      const [now] = await primary.ask<{ lsn: string }>('select pg_current_wal_lsn()::text as lsn')
      const find = () => standby.ask(`select 1 where pg_last_wal_replay_lsn() >= '${now!.lsn}'::pg_lsn`)
      await until(async () => (await find()).length > 0)
    },
    async promote() {
      await standby.ask('select pg_promote(true, 60)')
    },
    async close() {
      await Promise.all([primary.stop('SIGQUIT'), standby.stop('SIGQUIT')])
      rmSync(place.folder, { recursive: true, force: true })
    }
  }
}

function prepare(): Place {
  const folder = aQuickFolder('svc-pair-')
  chmodSync(folder, 0o755) // PostgreSQL's user needs access
  const binaries = distribution() ?? findBinaries(root)
  const runner = chooseRunner(binaries, folder, join(folder, 'primary'))
  if (process.getuid?.() === 0) chownSync(folder, runner.uid, runner.gid)
  return { folder, binaries, runner }
}

function distribution(): string | null {
  const versions = '/usr/lib/postgresql'
  if (!existsSync(versions)) return null
  const newest = readdirSync(versions).sort((a, b) => Number(b) - Number(a))
  return newest.map(version => join(versions, version, 'bin')).find(bin => existsSync(join(bin, 'initdb'))) ?? null
}

/**
 * A cluster that never ran can be copied file by file, because the primary's log contains everything since its first
 * start.
 */
async function initialise(place: Place, { primary, standby }: Record<'primary' | 'standby', Made>): Promise<void> {
  const settings = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8']
  await runToEnd(place, join(place.binaries, 'initdb'), ['-D', primary.data, ...settings])
  await runToEnd(place, 'cp', ['-a', primary.data, standby.data])
  const source = `host=127.0.0.1 port=${primary.port} user=postgres application_name=standby`
  writeFileSync(join(standby.data, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`)
  writeFileSync(join(standby.data, 'standby.signal'), '')
}

async function runToEnd({ runner }: Place, program: string, args: string[]): Promise<void> {
  const child = run(runner, program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  const output = textOf(child.stderr!)
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${output()}`)
}

type Made = PostgresServer & { data: string }

async function makeServer({ folder, binaries, runner }: Place, name: string): Promise<Made> {
  const data = join(folder, name)
  const port = await freePort()
  const url = (database = 'postgres') => `postgres://postgres@127.0.0.1:${port}/${database}`
  let child: ChildProcess | null = null

  async function withClient<T>(use: (sql: Sql) => Promise<T>): Promise<T> {
    const sql = postgres(url(), { max: 1, connect_timeout: 10, fetch_types: false, onnotice() {} })
    try {
      return await use(sql)
    } finally {
      await sql.end({ timeout: 1 })
    }
  }

  async function start() {
    const settings = Object.entries({ port, ...SETTINGS }).flatMap(([key, value]) => ['-c', `${key}=${value}`])
    const args = ['-D', data, ...settings]
    const server = run(runner, join(binaries, 'postgres'), args, { stdio: ['ignore', 'ignore', 'pipe'] })
    const log = textOf(server.stderr!)
    child = server
    await until(async () => {
      if (hasEnded(server)) throw new Error(`the ${name} did not start:\n${log()}`)
      return await withClient(async sql => await sql`select 1`).then(() => true, () => false)
    })
  }

  async function stop(signal: 'SIGQUIT' | 'SIGINT' = 'SIGQUIT') {
    if (!child || hasEnded(child)) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }

  return {
    port, data, url, start, stop,
    ask: <T extends Row>(statement: string) => withClient(async sql => [...await sql.unsafe<T[]>(statement)])
  }
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null
