import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../../server/core/db/client.ts'
import { startHeartbeat } from '../../../server/core/db/heartbeat.ts'
import { toDatabaseProblem } from '../../../server/core/http/database-problems.ts'
import { createLog } from '../../../server/core/log.ts'
import { start } from '../../../server/core/runtime.ts'
import { anInstance } from '../../support/instance.ts'
import { coreOnly } from '../../support/modules/official.ts'
import { aWorld, type World } from '../../support/modules/modules.ts'
import { aPostgresPair, type PostgresPair } from '../../support/database/postgres-pair.ts'
import { aTcpProxy } from '../../support/database/tcp-proxy.ts'

let world: World
let pair: PostgresPair
beforeAll(async () => {
  [world, pair] = await Promise.all([aWorld(), aPostgresPair()])
  await pair.primary.ask('create table written (word text)')
  await pair.caughtUp()
})
afterAll(async () => {
  await pair.close()
  await world.close()
})

const at = ({ port }: { port: number }) => ({ host: '127.0.0.1', port })
const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    error => toDatabaseProblem(error, {})?.code ?? String(error)
  )

/** The primary behind a proxy, two clients connected to it, and the heartbeat that watches it. */
async function throughAProxy() {
  const proxy = await aTcpProxy(at(pair.primary))
  const config = { ...world.config, database_url: `postgres://postgres@127.0.0.1:${proxy.port}/postgres` }
  const database = await openDatabase(config, { max: 2 })
  const heartbeat = startHeartbeat(database, createLog({ production: true, log_level: 'silent' }))
  const further = database.connect()
  const ports = async () => {
    const [row] = await database.sql<{ port: number }[]>`select inet_server_port() as port`
    const [other] = await further<{ port: number }[]>`select inet_server_port() as port`
    return [row!.port, other!.port]
  }
  const close = async () => {
    await heartbeat.stop()
    await database.close()
    await proxy.close()
  }
  return { proxy, database, heartbeat, ports, close }
}

const HAS_ASKED = `select 1 from pg_stat_activity where application_name = 'svc:heartbeat' and state = 'idle' and query like '%pg_postmaster_start_time%'`

test('a request that writes to a read-only database gets 503 database_unavailable', async () => {
  const instance = await anInstance({ env: { LOG_LEVEL: 'error' } })
  const staff = await instance.as('receptionist')
  const [current] = await instance.sql<{ name: string }[]>`select current_database() as name`
  await instance.sql`alter database ${instance.sql(current!.name)} set default_transaction_read_only = on`
  // The heartbeat's own connection keeps its setting, so that requests are the first to notice.
  await instance.sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'svc:server'`
  for (let turn = 0; turn < 5; turn++) {
    const answer = await staff.post('/api/v1/clinical/patients', { first_name: 'Ana', last_name: 'Ruiz' })
    expect(answer).toMatchObject({ status: 503, body: { code: 'database_unavailable' } })
  }
  await instance.close()
})

test('a database is lost when a proxy leads to a standby, which ends all connections, and is back with the primary', async () => {
  const { proxy, database, heartbeat, ports, close } = await throughAProxy()
  expect(await ports()).toEqual([pair.primary.port, pair.primary.port])
  const lost = heartbeat.change()
  proxy.leadTo(at(pair.standby))
  proxy.disconnect()
  await lost
  expect(heartbeat.isLost()).toBe(true)
  expect([...database.sockets.heard().keys()].filter(socket => !socket.destroyed)).toEqual([])
  expect(await outcome(database.sql`select 1`)).toBe('database_unavailable')
  await expect(ports()).rejects.toThrow()

  const back = heartbeat.change()
  proxy.leadTo(at(pair.primary))
  await back
  expect(await ports()).toEqual([pair.primary.port, pair.primary.port])
  await close()
})

test('a start with a standby waits until it is promoted, and reports that it waits', async () => {
  const reasons: (string | null)[] = []
  const config = { ...world.config, database_url: pair.standby.url() }
  const starting = start(config, coreOnly, { onWait: reason => reasons.push(reason) })
  await expect
    .poll(() => reasons)
    .toEqual([expect.stringMatching(/^waiting until the database accepts writes \(the database is read-only/)])
  await pair.promote()
  const runtime = await starting
  expect(reasons.at(-1)).toBe(null)
  expect(await runtime.heartbeat.answers()).toBe(true)
  await runtime.close()
})

test('connections to the former primary end when the heartbeat finds another server, though both are writable', async () => {
  const { proxy, database, ports, close } = await throughAProxy()
  expect(await ports()).toEqual([pair.primary.port, pair.primary.port])
  await expect.poll(() => pair.primary.ask(HAS_ASKED)).toHaveLength(1) // since then it knows this server
  proxy.leadTo(at(pair.standby))
  await pair.primary.ask(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'svc:heartbeat'`
  )
  await expect.poll(() => ports().catch(() => [])).toEqual([pair.standby.port, pair.standby.port])
  expect(await outcome(database.sql`insert into written values ('here')`)).toBe('done')
  await close()
})
