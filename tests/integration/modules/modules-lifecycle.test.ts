import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { aWorld, writeModule, type ModuleFiles, type World } from '../../support/modules/modules.ts'

let world: World
beforeEach(async () => {
  world = await aWorld()
})
afterEach(() => world.close())

const NOTE = {
  '0000_note.sql': 'create table note (id serial primary key, text text not null);',
  '0000_note.down.sql': 'drop table note;'
}
/** A module with a table, a record and hooks that record their calls inside the transaction. */
const aNotebook = (extra: ModuleFiles = {}): ModuleFiles => ({
  migrations: NOTE,
  seed: [{ xml_id: 'first', table: 'note', values: { text: 'seeded' } }],
  code: `const say = (ctx, text) => ctx.sql\`insert into note (text) values (\${text})\`
    export default { hooks: {
      install: ctx => say(ctx, 'install'),
      post_upgrade: (ctx, from) => say(ctx, 'upgraded from ' + from + ' ' + ctx.from_version),
      uninstall: ctx => say(ctx, 'uninstall')
    } }`,
  ...extra
})
const failing = (message: string) =>
  `export default { hooks: { install() { throw new Error(${JSON.stringify(message)}) } } }`
const notes = async () => (await world.database.sql`select text from note order by id`).map(row => row.text)
const schedule = (name: string, state: string, pending: string | null = null) =>
  world.database.sql`update core_module set state = ${state}, pending = ${pending}::text::jsonb where name = ${name}`
const steps = async (module: string) =>
  (await world.log(module)).map(row => `${row.operation} ${row.step} ${row.status}`)

describe('install', () => {
  test('runs migrate, seed, lifecycle and finalize, dependencies first, each logged', async () => {
    world.write('notebook', aNotebook({ depends: ['base'] }))
    world.write('base')
    const { host } = await world.boot()

    expect((await world.log()).map(row => `${row.module_name} ${row.step} ${row.status}`)).toEqual([
      ...['migrate', 'seed', 'lifecycle', 'finalize'].map(step => `base ${step} completed`),
      ...['migrate', 'seed', 'lifecycle', 'finalize'].map(step => `notebook ${step} completed`)
    ])
    expect(await world.rows()).toMatchObject({
      base: { state: 'installed', version: '1.0.0', applied_revision: null, error_message: null, pending: null },
      notebook: {
        state: 'installed',
        version: '1.0.0',
        category: 'official',
        applied_revision: '0000_note',
        error_message: null,
        pending: null,
        manifest: { depends: ['base'] }
      }
    })
    expect(await notes()).toEqual(['seeded', 'install'])
    expect(host.registry.modules.map(module => module.name)).toEqual(['base', 'notebook'])
  })

  test('does nothing again at the next start', async () => {
    world.write('notebook', aNotebook())
    await world.boot()
    await world.boot()
    expect(await world.log()).toHaveLength(4)
    expect(await notes()).toEqual(['seeded', 'install'])
  })

  test('of a new official module is also done in an existing database, but a removed one stays removed', async () => {
    world.write('base')
    await world.boot()
    await schedule('base', 'uninstalled')
    world.write('notebook', aNotebook())
    await world.boot()
    expect(await world.rows()).toMatchObject({ base: { state: 'uninstalled' }, notebook: { state: 'installed' } })
  })

  test('of a community module waits until it is scheduled', async () => {
    writeModule(join(world.config.root, 'node_modules/svc-module-recall'), 'recall', aNotebook())
    const before = await world.boot()
    expect([await world.rows(), before.host.registry.modules]).toEqual([{}, []])
    await world.database
      .sql`insert into core_module (name, state, category) values ('recall', 'to_install', 'community')`
    const after = await world.boot()
    expect(after.host.registry.get('recall')).toBeDefined()
  })

  test('is done once by five instances that start at the same time', async () => {
    world.write('notebook', aNotebook())
    await Promise.all(Array.from({ length: 5 }, () => world.boot()))
    expect(await world.log()).toHaveLength(4)
    expect(await notes()).toEqual(['seeded', 'install'])
    expect(await world.database.sql`select 1 from core_migration where module_name = 'notebook'`).toHaveLength(1)
  })
})

describe('a step that fails', () => {
  test('is recorded in log and row, its dependants are skipped with the reason, and all other modules continue', async () => {
    world.write('base', { code: failing('no luck today') })
    world.write('middle', { depends: ['base'] })
    world.write('top', { depends: ['middle'] })
    world.write('other')
    const { host } = await world.boot()

    expect(await world.log('base')).toMatchObject([
      { step: 'migrate' },
      { step: 'seed' },
      { step: 'lifecycle', status: 'failed', detail: { error: 'no luck today' } }
    ])
    expect(await world.log('middle')).toMatchObject([
      { step: 'migrate', status: 'skipped', detail: { reason: 'needs base, which failed' } }
    ])
    expect(await world.log('top')).toMatchObject([
      { step: 'migrate', status: 'skipped', detail: { reason: 'needs middle, which failed' } }
    ])
    expect(await world.rows()).toMatchObject({
      base: { state: 'to_install', error_message: 'no luck today', error_at: expect.anything(), version: null },
      middle: { state: 'to_install', error_message: null },
      other: { state: 'installed' }
    })
    expect(host.registry.modules.map(module => module.name)).toEqual(['other'])
  })

  test('is where the next start continues, and no completed step runs again', async () => {
    world.write('notebook', aNotebook({ code: failing('no luck today') }))
    await world.boot()
    world.write('notebook', aNotebook())
    await world.boot()
    expect(await steps('notebook')).toEqual([
      'install migrate completed',
      'install seed completed',
      'install lifecycle failed',
      'install lifecycle completed',
      'install finalize completed'
    ])
    expect(await notes()).toEqual(['seeded', 'install'])
    expect((await world.rows()).notebook).toMatchObject({ state: 'installed', error_message: null, error_at: null })
  })

  test('reverts its own work and keeps earlier revisions', async () => {
    world.write(
      'notebook',
      aNotebook({
        migrations: { ...NOTE, '0001_more.sql': 'create table more (id int);--> statement-breakpoint\nselect broken;' }
      })
    )
    await world.boot()
    expect((await world.rows()).notebook).toMatchObject({
      applied_revision: '0000_note',
      error_message: '0001_more.sql, statement 2 (select broken): column "broken" does not exist'
    })
    expect(
      await world.database.sql`select to_regclass('note') is not null as note, to_regclass('more') is not null as more`
    ).toEqual([{ note: true, more: false }])
  })

  test.each([
    ['code that throws at import', { code: 'throw new Error("broken at import")' }, 'broken at import'],
    ['a host that is too old', { svc: { core: '>=9.0.0' } }, 'needs version >=9.0.0'],
    ['a missing dependency', { depends: ['nowhere'] }, 'needs nowhere, which is not installed'],
    [
      'a table of the service itself',
      { migrations: { '0000_x.sql': 'CREATE TABLE "core_user" (id int);' } },
      'claims the table core_user'
    ],
    [
      'a table of the service, in another spelling',
      { migrations: { '0000_x.sql': 'select 1; CREATE TABLE IF NOT EXISTS Core_User (id int);' } },
      'claims the table core_user'
    ],
    [
      'a migration that ends its transaction',
      { migrations: { '0000_x.sql': 'begin; create table odd (id int); commit;' } },
      'each file is one already'
    ],
    [
      'a seed into a foreign table',
      { seed: [{ xml_id: 'x', table: 'core_user', values: {} }] },
      'core_user is not a table of odd'
    ],
    ['a seed that isn\'t a list', { seed: [{ table: 'x' }] }, 'seed/records.json']
  ])('is an error of that module only, if it has %s', async (_, files, message) => {
    world.write('odd', files)
    world.write('other')
    await world.boot()
    expect(await world.rows()).toMatchObject({
      odd: { state: 'to_install', error_message: expect.stringContaining(message) },
      other: { state: 'installed' }
    })
    expect((await world.log()).filter(row => row.status === 'started')).toEqual([])
  })

  test('is the install of two modules that claim one table', async () => {
    world.write('notebook', aNotebook())
    world.write('thief', { migrations: { '0000_x.sql': 'create table if not exists public."note" (id int);' } })
    await world.boot()
    expect((await world.rows()).thief).toMatchObject({
      state: 'to_install',
      error_message: expect.stringContaining('which belongs to notebook')
    })
  })
})

describe('an orphan', () => {
  test('stops the start with a list and both remedies', async () => {
    world.write('base')
    world.write('notebook', aNotebook())
    await world.boot()
    world.remove('base')
    world.remove('notebook')
    await expect(world.boot()).rejects.toThrow(
      'Orphan modules (in DB, missing from disk):\n  - base\n  - notebook\nRestore the package of each, or mark it as uninstalled: svc modules orphan <name>'
    )
  })

  test('is neither an uninstalled row nor a module with a broken manifest', async () => {
    world.write('base')
    world.write('notebook', aNotebook())
    await world.boot()
    world.remove('base')
    await schedule('base', 'uninstalled')
    world.write('notebook', aNotebook({ svc: { depends: 'nothing' } }))
    const { host } = await world.boot()
    expect(host.registry.broken).toMatchObject([
      { name: 'notebook', reason: expect.stringContaining('svc.depends') }
    ])
  })
})

describe('upgrade', () => {
  const next = { version: '2.0.0', migrations: { ...NOTE, '0001_more.sql': 'alter table note add column more text;' } }

  test('applies new migrations, seeds again and calls post_upgrade with the version that was installed', async () => {
    world.write('notebook', aNotebook())
    await world.boot()
    world.write(
      'notebook',
      aNotebook({
        ...next,
        seed: [
          { xml_id: 'first', table: 'note', values: { text: 'seeded anew' } },
          { xml_id: 'second', table: 'note', values: { text: 'new' } }
        ]
      })
    )
    await schedule('notebook', 'to_upgrade')
    const { host } = await world.boot()
    expect((await world.rows()).notebook).toMatchObject({
      state: 'installed',
      version: '2.0.0',
      applied_revision: '0001_more'
    })
    expect((await notes()).sort()).toEqual(['install', 'new', 'seeded anew', 'upgraded from 1.0.0 1.0.0'])
    expect(host.registry.get('notebook')?.version).toBe('2.0.0')
  })

  test('that fails keeps the old version in the row, and the module does not run', async () => {
    world.write('notebook', aNotebook())
    await world.boot()
    world.write(
      'notebook',
      aNotebook({
        ...next,
        endpoints: { 'notes.get.js': '{ access: "none", handle() {} }' },
        code: 'export default { hooks: { post_upgrade() { throw new Error("not this time") } } }'
      })
    )
    await schedule('notebook', 'to_upgrade')
    const { host } = await world.boot()
    expect((await world.rows()).notebook).toMatchObject({
      state: 'to_upgrade',
      version: '1.0.0',
      error_message: 'not this time'
    })
    expect(host.registry.broken).toMatchObject([
      { name: 'notebook', reason: 'not this time', routes: [{ path: '/api/v1/notes' }] }
    ])
  })

  test('to an older version on disk fails with downgrade not supported', async () => {
    world.write('notebook', aNotebook(next))
    await world.boot()
    world.remove('notebook')
    world.write('notebook', aNotebook())
    await schedule('notebook', 'to_upgrade')
    await world.boot()
    expect((await world.rows()).notebook).toMatchObject({
      error_message: expect.stringContaining('downgrade not supported')
    })
  })

  test('is stopped by a changed checksum of an applied file, but the start is not', async () => {
    world.write('notebook', aNotebook())
    await world.boot()
    const changed = { ...NOTE, '0000_note.sql': `${NOTE['0000_note.sql']} -- changed` }
    world.write('notebook', aNotebook({ migrations: changed }))
    const running = await world.boot()
    expect(running.host.registry.get('notebook')).toBeDefined()

    world.write('notebook', aNotebook({ ...next, migrations: { ...changed, '0001_more.sql': 'select 1;' } }))
    await schedule('notebook', 'to_upgrade')
    await world.boot()
    expect((await world.rows()).notebook).toMatchObject({
      applied_revision: '0000_note',
      error_message: expect.stringContaining('is not the file that was applied')
    })
  })
})

describe('a removal', () => {
  test('with keep_data keeps tables and records, and a later install adopts them', async () => {
    world.write('notebook', aNotebook())
    await world.boot()
    await schedule('notebook', 'to_remove', '{"keep_data": true}')
    await world.boot()
    expect((await world.rows()).notebook).toMatchObject({
      state: 'uninstalled',
      version: null,
      applied_revision: '0000_note',
      pending: null
    })
    await schedule('notebook', 'to_install')
    await world.boot()
    expect(await notes()).toEqual(['seeded', 'install', 'uninstall', 'install'])
  })

  test('continues after its backup: records, then the branch to its base, then the row', async () => {
    world.write('notebook', aNotebook())
    await world.boot()
    const operation = '5c1f6f34-3f7e-4a54-9f3e-111111111111'
    await schedule('notebook', 'to_remove', JSON.stringify({ operation_id: operation }))
    await world.database
      .sql`insert into core_module_operation_log (module_name, operation, step, status, operation_id) values ('notebook', 'uninstall', 'backup', 'completed', ${operation})`
    await world.boot()
    expect((await world.rows()).notebook).toMatchObject({
      state: 'uninstalled',
      applied_revision: null,
      error_message: null
    })
    expect(
      await world.database
        .sql`select to_regclass('note') is null as gone, (select count(*)::int from core_external_id) as tracked`
    ).toEqual([{ gone: true, tracked: 0 }])
  })

  test('fails if a module that stays depends on it, and a veto of the module itself resets the row', async () => {
    const veto
      = 'export default { hooks: { before_uninstall: async () => [{ reason: "two links are open" }, { reason: "a signature is due", hard: true }] } }'
    world.write('base', { code: veto })
    world.write('top', { depends: ['base'] })
    await world.boot()
    await schedule('base', 'to_remove')
    await world.boot()
    expect((await world.rows()).base).toMatchObject({ state: 'to_remove', error_message: 'required by top' })

    await schedule('base', 'to_remove', '{"force": true}')
    await world.boot()
    expect((await world.rows()).base).toMatchObject({
      state: 'installed',
      pending: null,
      error_message: 'a signature is due'
    })
  })
})
