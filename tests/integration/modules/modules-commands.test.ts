import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { shareBootLock, takeBootLock } from '../../../server/core/db/lock.ts'
import { discover } from '../../../server/core/modules/discover.ts'
import { checkBranches } from '../../../server/core/doctor/integrity.ts'
import { listBackups } from '../../../server/core/modules/backup/backup.ts'
import { restoreBackup } from '../../../server/core/modules/backup/restore.ts'
import { runCommand, type CommandRequest } from '../../../server/core/modules/commands.ts'
import { aWorld, writeModule, type World } from '../../support/modules/modules.ts'

let world: World
beforeEach(async () => {
  world = await aWorld()
})
afterEach(() => world.close())

const table = (name: string) => ({
  '0000_first.sql': `create table ${name} (id integer primary key)`,
  '0000_first.down.sql': `drop table ${name}`
})
const MANUAL = { auto_install: false }
const REMOVABLE = { removable: true }

const ask = async (
  command: CommandRequest['command'],
  name: string,
  options: Omit<CommandRequest, 'command' | 'name'> = {}
) => runCommand(world.commandHost(), { command, name, ...options })
const answer = async (...request: Parameters<typeof ask>) => (await ask(...request)).answer
/** Every reason of a refusal. */
const reasons = (...request: Parameters<typeof ask>): Promise<string[]> => ask(...request).then(
  () => { throw new Error('it was not refused') },
  (error: { code?: string, fields?: { reasons: string[] } }) => {
    if (error.code !== 'module_refused') throw error
    return error.fields!.reasons
  })
const states = async () =>
  Object.fromEntries(Object.entries(await world.rows()).map(([name, row]) => [name, row.state]))
const boot = async () => (await world.boot()).close()

describe('install', () => {
  it('schedules the module and every missing dependency, in order', async () => {
    world.write('base', { migrations: table('base_thing') })
    world.write('top', { depends: ['middle', 'base'], svc: MANUAL })
    world.write('middle', { depends: ['base', 'other'], svc: MANUAL })
    world.write('other', { svc: MANUAL })
    await boot()
    expect(await answer('install', 'top')).toEqual({ scheduled: ['other', 'middle', 'top'], requires_restart: true })
    await boot()
    expect(await states()).toEqual({ base: 'installed', middle: 'installed', other: 'installed', top: 'installed' })
    expect(await ask('install', 'top')).toEqual({
      changed: false,
      answer: { scheduled: [], requires_restart: false, message: 'Nothing to do.' }
    })
  })

  it('is refused with every reason: missing on disk, another host, a broken manifest, a circle of dependencies', async () => {
    await boot()
    world.write('top', { depends: ['gone', 'broken', 'round'], svc: { ...MANUAL, core: '^9.0.0' } })
    world.write('broken', { svc: { ...MANUAL, depends: 'budget' } })
    world.write('round', { depends: ['trip'], svc: MANUAL })
    world.write('trip', { depends: ['round'], svc: MANUAL })
    expect(await reasons('install', 'top')).toEqual([
      'top needs gone, which is not on disk',
      expect.stringContaining('the manifest of broken is broken: svc.depends'),
      'round needs trip needs round: they depend on each other',
      'top needs version ^9.0.0 of this service, which is 0.2.0'
    ])
    expect(await states()).toEqual({})
  })

  it('is refused for endpoints below the name of another module', async () => {
    await boot()
    const folder = join(world.config.root, 'node_modules/svc-module-sly')
    const endpoint = '{ access: \'none\', handle: () => null }'
    writeModule(folder, 'sly', {
      endpoints: { 'sly/things.get.js': endpoint, 'budget/budgets/[id]/x.get.js': endpoint, 'slyer.get.js': endpoint }
    })
    const why = 'sly has endpoints of others: the path /api/v1/budget/budgets/:id/x, /api/v1/slyer does not start with '
      + '/api/v1/sly/ or /api/v1/public/sly/'
    expect(await reasons('install', 'sly')).toEqual([why])
    expect((await answer('install', 'sly', { dry_run: true })).guardrails).toEqual([why])
  })

  it('names triggers on tables of other modules, even in a dry run, and so does the doctor', async () => {
    world.write('first', { migrations: table('thing') })
    await boot()
    world.write('second', {
      svc: { ...MANUAL, removable: true },
      migrations: {
        '0000_spy.sql': `create table second (id integer);
          create function second_look() returns trigger language plpgsql as $$ begin return new; end $$;
          create trigger second_spy after insert or update on "public"."thing" for each row execute function second_look();`,
        '0000_spy.down.sql': 'drop trigger second_spy on thing; drop function second_look(); drop table second;'
      }
    })
    const note
      = 'second has the trigger second_spy with the function second_look() on the table thing, which belongs to first.'
    expect((await answer('install', 'second', { dry_run: true })).message).toBe(note)
    expect((await answer('install', 'second')).message).toBe(note)
    await boot()
    expect((await answer('uninstall', 'second', { dry_run: true })).message).toBe(note)
    const discovered = await discover(world.config)
    expect(await checkBranches(world.database.sql, world.config, discovered)).toEqual([
      {
        code: 'foreign_trigger',
        object: 'first: thing',
        message: 'The trigger second_spy with the function second_look() was not made by first, but by second.',
        fix: 'Use a version of second without it, or uninstall second.'
      }
    ])
  })

  it('is refused when another module claims one of its tables', async () => {
    world.write('first', { migrations: table('thing') })
    await boot()
    world.write('second', { migrations: table('thing'), svc: MANUAL })
    expect(await reasons('install', 'second')).toContain('second claims the table thing, which belongs to first')
  })

  it('adopts remaining tables if the disk has their revision, and refuses others', async () => {
    world.write('kept', { migrations: table('kept_thing'), svc: { ...MANUAL, ...REMOVABLE } })
    await boot()
    await answer('install', 'kept')
    await boot()
    await world.database.sql`insert into kept_thing values (7)`
    await answer('uninstall', 'kept', { keep_data: true })
    await boot()
    expect(await states()).toEqual({ kept: 'uninstalled' })

    rmSync(join(world.config.root, 'layers/kept/migrations'), { recursive: true })
    world.write('kept', { migrations: { '0000_other.sql': 'create table kept_thing (id integer)' }, svc: MANUAL })
    expect(await reasons('install', 'kept')).toEqual([
      expect.stringContaining('left at 0000_first, which its version on disk does not know')
    ])
    world.write('kept', { migrations: { ...table('kept_thing') }, svc: MANUAL })
    rmSync(join(world.config.root, 'layers/kept/migrations/0000_other.sql'))
    expect((await answer('install', 'kept')).scheduled).toEqual(['kept'])
    await boot()
    expect(await world.database.sql`select id from kept_thing`).toEqual([{ id: 7 }])

    await world.database.sql`create table strange (id integer)`
    world.write('strange', { migrations: table('strange'), svc: MANUAL })
    expect(await reasons('install', 'strange')).toEqual([expect.stringContaining('the table strange exists already')])
  })

  it('of an unknown name is not found', async () => {
    await boot()
    await expect(ask('install', 'nothing')).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('upgrade', () => {
  it('needs another version on disk, or migrations that only an upgrade can apply', async () => {
    world.write('base', { migrations: table('base_thing') })
    await boot()
    expect(await ask('upgrade', 'base')).toEqual({
      changed: false,
      answer: { scheduled: [], requires_restart: false, message: 'Module is already at the declared version.' }
    })
    world.write('base', {
      migrations: { ...table('base_thing'), '0001_more.sql': 'alter table base_thing add more text' }
    })
    expect((await answer('upgrade', 'base', { dry_run: true })).scheduled).toEqual(['base'])
    world.write('base', { version: '1.1.0', migrations: table('base_thing') })
    expect(await answer('upgrade', 'base')).toEqual({ scheduled: ['base'], requires_restart: true })
    expect((await answer('upgrade', 'base')).message).toMatch(/^Nothing to do\./)
    await boot()
    expect((await world.rows()).base).toMatchObject({
      state: 'installed',
      version: '1.1.0',
      applied_revision: '0001_more'
    })
  })

  it('is refused if the new version needs a module that is not installed, or another host version', async () => {
    world.write('base')
    world.write('extra', { svc: MANUAL })
    await boot()
    world.write('base', { version: '2.0.0', depends: ['extra'] })
    expect(await reasons('upgrade', 'base')).toEqual([
      'base needs extra, which is not installed: svc modules install extra'
    ])
    world.write('base', { version: '2.0.0', svc: { core: '>=9' } })
    expect(await reasons('upgrade', 'base')).toEqual(['base needs version >=9 of this service, which is 0.2.0'])
    expect(await reasons('upgrade', 'extra')).toEqual(['extra is not installed'])
  })
})

describe('uninstall', () => {
  it('is refused with every reason that applies, not only the first', async () => {
    world.write('base')
    world.write('a', { depends: ['base'] })
    world.write('b', { depends: ['base'] })
    await boot()
    expect(await reasons('uninstall', 'base')).toEqual([
      expect.stringContaining('no Alembic branch'),
      expect.stringContaining('required by a, b'),
      expect.stringContaining('removable is false')
    ])
  })

  it('of a part of the service without a migration branch is refused even with --force', async () => {
    world.write('base', { svc: REMOVABLE })
    await boot()
    expect(await reasons('uninstall', 'base', { force: true, keep_data: true })).toEqual([
      expect.stringContaining('no Alembic branch')
    ])
  })

  it('of a package without migrations has nothing to revert, and its settings are in a backup', async () => {
    await boot()
    const { sql } = world.database
    writeModule(join(world.config.root, 'node_modules/svc-module-plain'), 'plain', {
      code: `export default { settings: {
        schema: { safeParse: data => ({ success: true, data }) }, defaults: { month: 1 }, secrets: [] } }`
    })
    await answer('install', 'plain')
    await boot()
    await sql`
      with clinic as (
        insert into core_clinic (name, currency, time_zone, locale) values ('C', 'EUR', 'UTC', 'en') returning id)
      insert into core_module_setting (clinic_id, module, "values") select id, 'plain', '{"month": 6}' from clinic`
    const { plan } = await answer('uninstall', 'plain', { dry_run: true })
    expect(plan).toMatchObject([{ name: 'plain', operation: 'uninstall', tables: [] }])
    expect(await answer('uninstall', 'plain')).toEqual({ scheduled: ['plain'], requires_restart: true })
    await boot()
    expect((await world.rows()).plain).toMatchObject({ state: 'uninstalled', error_message: null })
    expect((await world.log('plain')).filter(({ operation }) => operation === 'uninstall'))
      .toMatchObject(['backup', 'lifecycle', 'delete_records', 'downgrade', 'finalize'].map(step => ({ step, status: 'completed' })))
    expect(await sql`select 1 from core_module_setting where module = 'plain'`).toEqual([])

    await answer('install', 'plain')
    await boot()
    const [backup] = await listBackups(world.config)
    await restoreBackup(world, backup!.file)
    expect(await sql`select "values" from core_module_setting where module = 'plain'`).toEqual([{ values: { month: 6 } }])
  })

  it('of a package that no longer brings the migrations of its tables is refused', async () => {
    await boot()
    const folder = join(world.config.root, 'node_modules/svc-module-plain')
    writeModule(folder, 'plain', { migrations: table('plain_thing') })
    await answer('install', 'plain')
    await boot()
    writeModule(folder, 'plain', {})
    expect(await reasons('uninstall', 'plain', { force: true })).toEqual([expect.stringContaining('no Alembic branch')])
  })

  it('with --force removes only the named module: dependants keep their data and row and do not run', async () => {
    world.write('base', { migrations: table('base_thing') })
    world.write('top', { depends: ['base'], migrations: table('top_thing') })
    await boot()
    expect(await answer('uninstall', 'base', { force: true })).toEqual({ scheduled: ['base'], requires_restart: true })
    const runtime = await world.boot()
    expect(runtime.host.registry.broken).toMatchObject([{ name: 'top', reason: 'needs base, which does not run' }])
    await runtime.close()
    expect(await states()).toEqual({ base: 'uninstalled', top: 'installed' })
    expect(
      await world.database
        .sql`select to_regclass('base_thing') is null as gone, to_regclass('top_thing') is null as lost`
    ).toEqual([{ gone: true, lost: false }])
    await answer('install', 'base')
    const again = await world.boot()
    expect(again.host.registry.broken).toEqual([])
  })

  it('removes dependants first if they are scheduled too', async () => {
    world.write('base', { migrations: table('base_thing'), svc: REMOVABLE })
    world.write('top', { depends: ['base'], migrations: table('top_thing'), svc: REMOVABLE })
    await boot()
    await answer('uninstall', 'top')
    await answer('uninstall', 'base')
    const { plan } = await answer('uninstall', 'base', { dry_run: true })
    expect(plan!.map(({ name, operation }) => `${operation} ${name}`)).toEqual(['uninstall top', 'uninstall base'])
    await boot()
    expect(await states()).toEqual({ base: 'uninstalled', top: 'uninstalled' })
  })

  it('removes an install that failed half-way, and cancels one that has not begun', async () => {
    await boot()
    world.write('fails', {
      migrations: table('fails_thing'),
      code: 'export default { hooks: { install() { throw new Error("no") } } }',
      svc: { ...MANUAL, ...REMOVABLE }
    })
    await answer('install', 'fails')
    expect(await reasons('uninstall', 'fails')).toEqual(['fails is not installed yet'])
    await boot()
    expect(await reasons('cancel', 'fails')).toEqual([
      'the install of fails has completed a step and cannot be cancelled'
    ])
    expect((await answer('uninstall', 'fails')).scheduled).toEqual(['fails'])
    await boot()
    expect(await states()).toEqual({ fails: 'uninstalled' })
    expect(await world.database.sql`select to_regclass('fails_thing') is null as gone`).toEqual([{ gone: true }])
  })

  it('resets the row with the reasons after a veto, and --force overrides vetoes that are not hard', async () => {
    const code = (hard: boolean) =>
      `export default { hooks: { before_uninstall: async () => [{ reason: 'links are open', hard: ${hard} }] } }`
    world.write('soft', { migrations: table('soft_thing'), code: code(false), svc: REMOVABLE })
    world.write('hard', { migrations: table('hard_thing'), code: code(true), svc: REMOVABLE })
    await boot()
    await answer('uninstall', 'soft')
    await boot()
    expect((await world.rows()).soft).toMatchObject({
      state: 'installed',
      error_message: 'links are open',
      pending: null
    })
    await answer('uninstall', 'soft', { force: true })
    await answer('uninstall', 'hard', { force: true })
    await boot()
    expect(await states()).toEqual({ soft: 'uninstalled', hard: 'installed' })
    // The operator has read the veto.
    expect((await answer('cancel', 'hard')).message).toBe('Cleared the error of hard.')
    expect((await world.rows()).hard!.error_message).toBeNull()
  })
})

describe('marking as uninstalled', () => {
  it('is possible for modules whose code is missing, and runs no code', async () => {
    world.write('base', { migrations: table('base_thing') })
    await boot()
    expect(await reasons('orphan', 'base')).toEqual(['the code of base is on disk'])
    world.remove('base')
    expect(await reasons('uninstall', 'base')).toContain(
      'base is not on disk, so its code cannot be run: restore its package, or svc modules orphan base'
    )
    await expect(world.boot()).rejects.toThrow('Orphan modules (in DB, missing from disk):\n  - base')
    const before = await world.log()
    expect(await answer('orphan', 'base')).toEqual({ scheduled: ['base'], requires_restart: true })
    expect(await world.log()).toEqual(before)
    expect((await world.rows()).base).toMatchObject({ state: 'uninstalled', applied_revision: '0000_first' })
    await boot()
    expect(await answer('orphan', 'base')).toMatchObject({ message: 'Nothing to do.' })
  })
})

describe('cancel', () => {
  it('reverts what has not begun', async () => {
    world.write('base', { migrations: table('base_thing'), svc: REMOVABLE })
    world.write('later', { svc: MANUAL })
    await boot()
    await answer('install', 'later')
    expect(await ask('cancel', 'later')).toEqual({
      changed: true,
      answer: { scheduled: [], requires_restart: false, message: 'Cancelled the install of later.' }
    })
    await answer('uninstall', 'base')
    await answer('cancel', 'base')
    world.write('base', { version: '1.1.0' })
    await answer('upgrade', 'base')
    await answer('cancel', 'base')
    expect(await states()).toEqual({ base: 'installed', later: 'uninstalled' })
    expect((await world.rows()).base).toMatchObject({ version: '1.0.0', pending: null })
    expect(await answer('cancel', 'base')).toMatchObject({ message: 'Nothing to do.' })
  })

  it('of a removal restores the install that it replaced, so that none is considered done', async () => {
    await boot()
    const fails = (hooks: string) =>
      world.write('fails', {
        migrations: table('fails_thing'),
        code: `export default { hooks: { ${hooks} } }`,
        svc: { ...MANUAL, ...REMOVABLE }
      })
    fails('install() { throw new Error("no") }')
    await answer('install', 'fails')
    await boot()
    const before = (await world.rows()).fails!.pending
    await answer('uninstall', 'fails')
    await answer('uninstall', 'fails', { keep_data: true })
    expect(await answer('cancel', 'fails')).toMatchObject({ scheduled: ['fails'], requires_restart: true })
    expect((await world.rows()).fails).toMatchObject({ state: 'to_install', pending: before })

    fails('before_uninstall: async () => [{ reason: "never", hard: true }]')
    await answer('uninstall', 'fails')
    await boot()
    expect((await world.rows()).fails).toMatchObject({
      state: 'to_install',
      pending: before,
      error_message: 'never',
      version: null
    })
    await boot()
    expect((await world.rows()).fails).toMatchObject({ state: 'installed', version: '1.0.0', error_message: null })
  })

  it('leaves no plan half cancelled', async () => {
    await boot()
    world.write('base', { svc: MANUAL })
    world.write('top', { depends: ['base'], svc: MANUAL })
    await answer('install', 'top')
    expect(await reasons('cancel', 'base')).toEqual([
      'base is required by top, which is scheduled too: svc modules cancel top'
    ])
    await answer('cancel', 'top')
    await answer('cancel', 'base')
  })
})

describe('--dry-run', () => {
  it('lists order, steps, tables with rows and guardrails, and changes nothing', async () => {
    world.write('base', { migrations: table('base_thing') })
    world.write('top', { depends: ['base'], svc: MANUAL, migrations: table('top_thing') })
    await boot()
    await world.database.sql`insert into base_thing values (1), (2)`
    const before = [await world.rows(), await world.log()]
    expect(await ask('install', 'top', { dry_run: true })).toEqual({
      changed: false,
      answer: {
        scheduled: ['top'],
        requires_restart: true,
        guardrails: [],
        plan: [
          {
            name: 'top',
            operation: 'install',
            steps: ['migrate', 'seed', 'lifecycle', 'finalize'],
            tables: [{ name: 'top_thing', rows: null }]
          }
        ]
      }
    })
    expect(await answer('uninstall', 'base', { force: true, dry_run: true })).toMatchObject({
      plan: [
        {
          name: 'base',
          steps: ['backup', 'lifecycle', 'delete_records', 'downgrade', 'finalize'],
          tables: [{ name: 'base_thing', rows: 2 }]
        }
      ]
    })
    expect(await answer('uninstall', 'base', { force: true, keep_data: true, dry_run: true })).toMatchObject({
      plan: [{ steps: ['lifecycle', 'finalize'] }]
    })
    expect(await answer('uninstall', 'base', { dry_run: true })).toEqual({
      scheduled: [], requires_restart: false, plan: [], guardrails: ['base is part of the service (removable is false)']
    })
    expect([await world.rows(), await world.log()]).toEqual(before)
  })
})

it('a command waits for an instance that processes modules, and fails after a while', async () => {
  world.write('base')
  await boot()
  const lock = await takeBootLock(world.database)
  await expect(shareBootLock(world.database.sql, 0, async () => {})).rejects.toMatchObject({ code: 'modules_busy' })
  const waiting = ask('cancel', 'base')
  await lock.release()
  expect((await waiting).changed).toBe(false)
})

it('simultaneous commands result in one plan', async () => {
  await boot()
  world.write('base', { svc: MANUAL })
  world.write('top', { depends: ['base'], svc: MANUAL })
  await Promise.all([answer('install', 'top'), answer('install', 'base'), answer('install', 'top')])
  await boot()
  expect(await states()).toEqual({ base: 'installed', top: 'installed' })
})
