import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { erasePerson } from '../../../server/core/privacy/erase.ts'
import { exportPerson } from '../../../server/core/privacy/export.ts'
import type { Runtime } from '../../../server/core/runtime.ts'
import { eventually } from '../../support/builders.ts'
import { aWorld, type World } from '../../support/modules/modules.ts'

/**
 * `people` identifies a person, and `cards` and `top` store data of that person. Each records in one table when it was
 * called.
 */
let world: World
let runtime: Runtime
const clinic_id = randomUUID()
const id = randomUUID()

const people = `export default { hooks: {
  find_person: async (ctx, id) => (await ctx.sql\`select id, clinic_id, name from people where id = \${id}\`)[0] ?? null,
  export: async (ctx, { name }) => ({ records: { Person: name }, files: [{ name: '../../etc/x.txt', bytes: Buffer.from('1') }, { name: 'x.txt', bytes: Buffer.from('2') }, { name: 'x.txt', bytes: Buffer.from('3') }] }),
  erase: async (ctx, { id }) => {
    await ctx.sql\`insert into people_asked (module) values ('people')\`
    const { count } = await ctx.sql\`update people set name = '' where id = \${id} and name <> ''\`
    return { erased: [{ what: 'person', count }], held: [] }
  }
} , exports: ctx => ({ asked: module => ctx.sql\`insert into people_asked (module) values (\${module})\` }) }`
const holder = (name: string, then = '') => `export default {
  on: { 'people.changed': async (event, ctx) => { await ctx.sql\`update cards_gate set at_work = true\`; while ((await ctx.sql\`select from cards_gate where open\`).length === 0) await new Promise(r => setTimeout(r, 20)) } },
  hooks: { erase: async (ctx, person, { dry_run }) => {
    await ctx.use('people').asked('${name}' + (dry_run ? ' (dry)' : ''))
    ${then}
    return { erased: [{ what: '${name}', count: 1 }], held: [] }
  } } }`

beforeEach(async () => {
  world = await aWorld()
  world.write('people', {
    code: people,
    migrations: {
      '0000_people.sql':
        'create table people (id uuid primary key, clinic_id uuid not null, name text not null);--> statement-breakpoint\ncreate table people_asked (n serial, module text);',
      '0000_people.down.sql': 'drop table people_asked; drop table people;'
    }
  })
  world.write('cards', {
    depends: ['people'],
    code: holder('cards'),
    migrations: {
      '0000_cards.sql':
        'create table cards_gate (open boolean not null default false, at_work boolean not null default false);--> statement-breakpoint\ninsert into cards_gate default values;',
      '0000_cards.down.sql': 'drop table cards_gate;'
    }
  })
})
afterEach(() => world.close())

async function boot(top = '') {
  world.write('top', { depends: ['people', 'cards'], code: holder('top', top) })
  runtime = await world.boot()
  const { sql } = world.database
  await sql`insert into core_clinic (id, name, currency, time_zone, locale) values (${clinic_id}, 'A', 'EUR', 'Europe/Madrid', 'en')`
  await sql`insert into people (id, clinic_id, name) values (${id}, ${clinic_id}, 'Ada')`
}
const erase = (order = {}) => erasePerson(runtime.host, { id, dry_run: false, by: null, ...order })
const asked = async () =>
  (await world.database.sql<{ module: string }[]>`select module from people_asked order by n`).map(
    ({ module }) => module
  )
const nameNow = async () => (await world.database.sql`select name from people where id = ${id}`)[0]!.name

describe('an erasure in all modules', () => {
  test('calls dependants first, in one transaction', async () => {
    await boot()
    const { erased, left } = await erase()
    expect(await asked()).toEqual(['top', 'cards', 'people'])
    expect(erased.map(({ module }) => module)).toEqual(['top', 'cards', 'people'])
    expect([await nameNow(), left]).toEqual(['', []])
  })

  test('calls the same modules in a dry run and is rolled back', async () => {
    await boot()
    const { erased, dry_run } = await erase({ dry_run: true })
    expect([dry_run, erased.map(({ module }) => module), await asked(), await nameNow()]).toEqual([
      true,
      ['top', 'cards', 'people'],
      [],
      'Ada'
    ])
  })

  test('changes nothing if a module refuses, regardless of what the others did before', async () => {
    await boot()
    world.write('people', {
      code: people.replace(
        'return { erased',
        'throw ctx.problem(\'wrong_state\', { detail: \'Ada owes money.\' })\nreturn { erased'
      )
    })
    await runtime.close()
    runtime = await world.boot()
    await expect(erase()).rejects.toMatchObject({ code: 'wrong_state', fields: { detail: 'Ada owes money.' } })
    expect([await asked(), await nameNow()]).toEqual([[], 'Ada'])
  })

  test('changes nothing if a module fails, and names it', async () => {
    await boot('await ctx.sql`select * from nowhere`')
    await expect(erase()).rejects.toThrow('the module top could not erase the person\'s data: nothing was changed')
    expect(await asked()).toEqual([])
  })

  test('is refused if an installed module\'s code is broken, and names the module', async () => {
    await boot()
    await runtime.close()
    world.write('top', { depends: ['people', 'cards'], code: 'throw new Error("broken")' })
    runtime = await world.boot()
    await expect(erase()).rejects.toMatchObject({ code: 'module_not_running', fields: { modules: ['top'] } })
    await expect(exportPerson(runtime.host, { id })).rejects.toMatchObject({ code: 'module_not_running' })
  })

  test('does not find a person of another clinic', async () => {
    await boot()
    await expect(erase({ clinic_id: randomUUID() })).rejects.toMatchObject({ code: 'not_found' })
  })

  test('waits for a running handler, which could write the person\'s data again', async () => {
    await boot()
    const { db, events } = runtime.host
    await db.transaction(tx => events.publish(tx, 'people.changed', { clinic_id, patient_id: id }))
    await eventually(
      async () => (await world.database.sql`select from cards_gate where at_work`).length > 0,
      'the handler'
    )
    let done = false
    const erasing = erase().then(() => { done = true })
    await eventually(
      async () =>
        (
          await world.database
            .sql`select from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())`
        ).length > 0,
      'the wait'
    )
    await sleep(0)
    expect(done).toBe(false)
    await world.database.sql`update cards_gate set open = true`
    await erasing
    expect(await nameNow()).toBe('')
  })

  test('is done after another one that was requested at the same time', async () => {
    await boot()
    const reports = await Promise.all([erase(), erase()])
    expect(reports.map(({ erased }) => erased.find(({ module }) => module === 'people')?.count ?? 0).sort()).toEqual([
      0, 1
    ])
  })
})

test('the name that a module gives its file leads to no other folder when it is unpacked, and overwrites no other file', async () => {
  const { unzipSync } = await import('fflate')
  await boot()
  const { bytes } = await exportPerson(runtime.host, { id })
  expect(Object.keys(unzipSync(bytes))).toEqual([
    'export.json',
    'people/-/-/etc/x.txt',
    'people/x.txt',
    'people/x-2.txt'
  ])
})
