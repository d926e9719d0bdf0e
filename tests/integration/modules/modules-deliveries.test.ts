import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { backupsFolder, listBackups } from '../../../server/core/modules/backup/backup.ts'
import { examine } from '../../../server/core/doctor/doctor.ts'
import { runCommand } from '../../../server/core/modules/commands.ts'
import { pruneDeliveries } from '../../../server/core/db/prune.ts'
import type { Runtime } from '../../../server/core/runtime.ts'
import { eventually } from '../../support/builders.ts'
import { aWorld, type World } from '../../support/modules/modules.ts'

const clinic_id = '00000000-0000-4000-8000-000000000001'
const TABLE = {
  '0000_ear.sql': 'create table ear (id serial primary key, what text not null);',
  '0000_ear.down.sql': 'drop table ear;'
}
/** A subscriber that fails with each event, so that its deliveries wait. */
const DEAF = {
  migrations: TABLE,
  code: 'export default { on: { \'mouth.spoke\'() { throw new Error(\'deaf\') } }, jobs: { listen: { async run() {} } } }'
}
const HEARING = {
  migrations: TABLE,
  code: `export default { on: { 'mouth.spoke': ({ payload }, ctx) =>
    ctx.sql\`insert into ear (what) values (\${payload.what})\` } }`
}

let world: World
let sql: World['database']['sql']
let runtime: Runtime
beforeEach(async () => {
  world = await aWorld()
  sql = world.database.sql
  world.write('ear', DEAF)
  runtime = await world.boot()
})
afterEach(() => world.close())

const publish = (what: string) => runtime.host.events.publish(world.database.db, 'mouth.spoke', { clinic_id, what })
const schedule = (name: string, state: string, pending: object | null = null) =>
  sql`update core_module set state = ${state}, pending = ${pending === null ? null : JSON.stringify(pending)}::text::jsonb where name = ${name}`
const uninstall = (pending: object | null = null) => schedule('ear', 'to_remove', pending).then(() => world.install())
const pending = async () =>
  (await sql`select name from core_delivery where status = 'pending' and module_name = 'ear'`).map(({ name }) => name)
const ended = async () =>
  (await sql`select last_error, done_at is not null as is_done from core_delivery where module_name = 'ear'`).map(
    row => ({ ...row })
  )
const ENDED = { last_error: 'the module was uninstalled', is_done: true }

test('an uninstall ends the module’s deliveries in its last transaction, logged and in the backup’s side file', async () => {
  await publish('one')
  await publish('two')
  await sql.begin(tx => runtime.host.jobs('ear').add(tx, 'gone', {}))
  await uninstall()

  expect(await pending()).toEqual([])
  expect(await ended()).toEqual([ENDED, ENDED, ENDED])
  expect((await world.log('ear')).at(-1)).toMatchObject({
    step: 'finalize',
    detail: {
      ended_deliveries: [
        { kind: 'event', name: 'mouth.spoke', count: 2 },
        { kind: 'job', name: 'gone', count: 1 }
      ]
    }
  })
  const { file } = (await listBackups(world.config))[0]!
  const note = JSON.parse(readFileSync(join(backupsFolder(world.config), `${file}.json`), 'utf8'))
  expect(note.deliveries).toEqual([
    { kind: 'event', name: 'mouth.spoke', event_id: expect.any(String), created_at: expect.stringMatching(/Z$/) },
    { kind: 'event', name: 'mouth.spoke', event_id: expect.any(String), created_at: expect.stringMatching(/Z$/) },
    { kind: 'job', name: 'gone', event_id: null, created_at: expect.stringMatching(/Z$/) }
  ])
})

test('an uninstall that keeps the tables ends the deliveries too', async () => {
  await publish('one')
  await uninstall({ operation_id: '00000000-0000-4000-8000-00000000000a', keep_data: true })
  expect([await pending(), await ended()]).toEqual([[], [ENDED]])
})

test('a module that is marked as uninstalled without its code has no deliveries left', async () => {
  await publish('one')
  world.remove('ear')
  await runCommand(world.commandHost(), { command: 'orphan', name: 'ear' })
  expect([await pending(), await ended()]).toEqual([[], [ENDED]])
})

test('deliveries that another instance adds for a removed module end at the sweep within a minute', async () => {
  await uninstall()
  await runtime.close()
  await publish('late') // an instance that has not restarted still knows the subscriber
  expect(await pending()).toEqual(['mouth.spoke'])
  world.write('base')
  await world.boot() // the first sweep runs when the workers start
  await eventually(async () => (await pending()).length === 0, 'the end of the late delivery')
  expect(await ended()).toEqual([ENDED])
})

/** `npm run test:load` repeats this more often. */
const TIMES = process.env.LOAD ? 20 : 1

test('an uninstall while another instance publishes leaves no waiting deliveries, and no lag', async () => {
  for (let time = 1; time <= TIMES; time++) {
    let published = 0
    let isRemoved = false
    const publishing = [1, 2, 3, 4].map(async (writer) => {
      for (let after = 0; after < 5; after += isRemoved ? 1 : 0) {
        await publish(`${writer}`)
        published += 1
      }
    })
    await eventually(async () => published > 10, 'the first events')
    await uninstall()
    isRemoved = true
    await Promise.all(publishing)
    await runtime.close()
    runtime = await world.boot()
    await eventually(async () => (await pending()).length === 0, 'the end of all deliveries')
    expect((await runtime.host.metrics.text(runtime.host)).body).toMatch(/^svc_outbox_lag_seconds\{kind="event"\} 0$/m)
    await schedule('ear', 'to_install')
    await runtime.close()
    runtime = await world.boot()
  }
}, 60_000 + TIMES * 20_000)

test('a reinstalled module gets no event that was published before', async () => {
  await uninstall()
  await runtime.close()
  await publish('before')
  world.write('ear', HEARING)
  await schedule('ear', 'to_install')
  runtime = await world.boot()
  await publish('after')
  await eventually(async () => (await sql`select 1 from ear`).length > 0, 'the new event')
  await eventually(async () => (await pending()).length === 0, 'the end of its delivery') // commits after the handler
  expect((await sql`select what from ear`).map(({ what }) => what)).toEqual(['after'])
})

test('events of ended deliveries are pruned after a month, and the outbox has no lag', async () => {
  await publish('one')
  await uninstall()
  const gauges = (await runtime.host.metrics.text(runtime.host)).body
  expect(gauges).toMatch(/^svc_outbox_lag_seconds\{kind="event"\} 0$/m)
  await sql`update core_event set occurred_at = now() - interval '31 days'`
  await sql`update core_delivery set done_at = now() - interval '31 days'`
  await pruneDeliveries(runtime.host.db)
  expect(await sql`select 1 from core_event`).toHaveLength(0)
})

test('the doctor reports deliveries to modules that do not run', async () => {
  await uninstall()
  await runtime.close()
  await publish('late')
  const place = { ...runtime.host, ...world.database, config: world.config, modules: [], secrets: null }
  const { integrity } = await examine({ ...place, broken: [] })
  expect(integrity).toEqual([
    {
      code: 'deliveries_unreachable',
      object: 'ear',
      message: '1 event or job waits for ear, which is not installed.',
      fix: 'Restart every instance (svc modules restart): the deliveries end within a minute.'
    }
  ])
  await schedule('ear', 'installed')
  const broken = [{ name: 'ear', reason: 'no luck today' }]
  const found = await examine({ ...place, broken })
  expect(found.integrity.find(({ code }) => code === 'deliveries_unreachable')).toMatchObject({
    message: '1 event or job waits for ear, which does not run.',
    fix: 'Run svc modules info ear and fix the cause: the deliveries follow. Or uninstall ear, which ends them.'
  })
})
