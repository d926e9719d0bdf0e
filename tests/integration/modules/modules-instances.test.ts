import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { listBackups } from '../../../server/core/modules/backup/backup.ts'
import { aWorld, type ModuleFiles, type World } from '../../support/modules/modules.ts'

const script = join(import.meta.dirname, '../../support/database/boot-and-die.ts')

let world: World
beforeEach(async () => {
  world = await aWorld({ empty: true })
})
afterEach(() => world.close())

/** `wait` is an expression for which the hook of the install waits. */
const aNotebook = (table: string, { version = '1.0.0', wait = 'null' } = {}): ModuleFiles => ({
  version,
  migrations: {
    [`0000_${table}.sql`]: `create table ${table} (id serial primary key, text text not null);`,
    [`0000_${table}.down.sql`]: `drop table ${table};`
  },
  seed: [{ xml_id: 'first', table, values: { text: 'seeded' } }],
  code: `export default { hooks: {
    install: async (ctx) => { await ctx.sql\`insert into ${table} (text) values ('install')\`; await (${wait}) },
    post_upgrade: ctx => ctx.sql\`insert into ${table} (text) values ('post_upgrade')\`
  } }`
})
const schedule = (name: string, state: string) =>
  world.database.sql`update core_module set state = ${state} where name = ${name}`
const logged = async () =>
  (await world.log()).map(row => `${row.module_name} ${row.operation} ${row.step} ${row.status} ${row.attempt}`)
const texts = async (table: string) =>
  (await world.database.sql`select text from ${world.database.sql(table)} order by id`).map(row => row.text as string)
const bootConnections = async () =>
  (
    await world.database
      .sql`select pid from pg_stat_activity where application_name = 'svc:boot' and datname = current_database()`
  ).length
const isInLifecycle = async () => (await logged()).some(row => row.includes('lifecycle started'))

function stepsOf(name: string, operation: string): string[] {
  const steps
    = operation === 'uninstall'
      ? ['backup', 'lifecycle', 'delete_records', 'downgrade', 'finalize']
      : ['migrate', 'seed', 'lifecycle', 'finalize']
  return steps.map(step => `${name} ${operation} ${step} completed 1`)
}

describe('several instances on one database', () => {
  test('complete each step once when five of them start at the same time with pending work', async () => {
    world.write('leaving', aNotebook('leaf'))
    world.write('older', aNotebook('old'))
    await world.install()
    world.write('older', aNotebook('old', { version: '1.1.0' }))
    world.write('newer', aNotebook('new'))
    await schedule('leaving', 'to_remove')
    await schedule('older', 'to_upgrade')
    const before = await logged()

    const runtimes = await Promise.all(Array.from({ length: 5 }, () => world.boot()))
    expect((await logged()).slice(before.length)).toEqual([
      ...stepsOf('leaving', 'uninstall'),
      ...stepsOf('newer', 'install'),
      ...stepsOf('older', 'upgrade')
    ])
    expect([await texts('old'), await texts('new')]).toEqual([
      ['seeded', 'install', 'post_upgrade'],
      ['seeded', 'install']
    ])
    expect(await listBackups(world.config)).toHaveLength(1)
    for (const { host } of runtimes)
      expect(host.registry.modules.map(module => module.name)).toEqual(['newer', 'older'])
  })

  test('pass on the lock of one that was killed; the next one keeps running, and finishes the work', async () => {
    world.write(
      'notebook',
      aNotebook('note', { wait: 'process.env.HOLD && new Promise(() => setInterval(() => {}, 1000))' })
    )
    const { root, storage, database_url, secret } = world.config
    const env = {
      PATH: process.env.PATH,
      DATABASE_URL: database_url!,
      SVC_SECRET: secret!,
      SVC_STORAGE: storage,
      LOG_LEVEL: 'silent',
      HOLD: '1'
    }
    const holder = spawn(process.execPath, [script, root, '0', 'after'], { env, stdio: 'ignore' })
    await expect.poll(() => isInLifecycle().catch(() => false), { timeout: 40_000 }).toBe(true)

    let isReady = false
    const waiting = world.boot().then((runtime) => {
      isReady = true
      return runtime
    })
    await expect.poll(bootConnections, { timeout: 40_000 }).toBe(2)
    expect(isReady).toBe(false)
    holder.kill('SIGKILL')
    await once(holder, 'exit')

    expect((await waiting).host.registry.get('notebook')).toBeDefined()
    expect(await texts('note')).toEqual(['seeded', 'install'])
    expect((await logged()).map(row => row.slice(0, -2))).toEqual(
      stepsOf('notebook', 'install').map(row => row.slice(0, -2))
    )
  })

  test('prevent one that lost the lock from committing a late step over the work of the next', async () => {
    const { promise, resolve: open } = Promise.withResolvers<unknown>()
    let isClosed = true
    Object.assign(globalThis, { notebookGate: () => isClosed && promise })
    world.write('notebook', aNotebook('note', { wait: 'globalThis.notebookGate()' }))
    const late = world.install().then(() => 'done', (error: Error) => error)
    await expect.poll(() => isInLifecycle().catch(() => false), { timeout: 40_000 }).toBe(true)

    await world.database
      .sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'svc:boot' and datname = current_database()`
    isClosed = false
    await world.install()
    const after = { log: await logged(), notes: await texts('note') }
    open(null)

    expect(await late).toMatchObject({ name: 'LockLostError' })
    expect({ log: await logged(), notes: await texts('note') }).toEqual(after)
    expect(after.notes).toEqual(['seeded', 'install'])
    expect(await world.rows()).toMatchObject({ notebook: { state: 'installed', error_message: null } })
  })
})
