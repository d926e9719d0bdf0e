import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { TransactionSql } from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase, type Database } from '../../../server/core/db/client.ts'
import { takeBootLock, type BootLock } from '../../../server/core/db/lock.ts'
import { headOf, migrateTo, readMigrations, runFile } from '../../../server/core/db/migrate.ts'
import { discover } from '../../../server/core/modules/discover.ts'
import { inDependencyOrder } from '../../../server/core/modules/plan.ts'
import { aUser, signedIn } from '../../support/accounts.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { root } from '../../support/modules/official.ts'

const shipped = (await discover({ root, storage: join(root, 'nowhere') })).filter(module => module.bundled)
/** Dependants first, as modules can be removed, and the core last. */
const branches = [
  ...inDependencyOrder(shipped.map(({ name, folder, manifest }) => {
    const { migrations, depends } = manifest!
    return { name, folder, migrations, depends }
  }))
    .flatMap(({ name, folder, migrations }) => migrations ? [{ module: name, folder: join(folder, migrations) }] : [])
    .reverse(),
  { module: 'core', folder: join(root, 'drizzle') }
]

let instance: Instance
let database: Database
let lock: BootLock
beforeAll(async () => {
  instance = await anInstance()
  await signedIn(instance, (await aUser(instance)).email)
  const { config } = instance.runtime.host
  await instance.runtime.close() // its schedule reads, each minute, the tables that are removed
  database = await openDatabase(config, { max: 1, name: 'test' })
  lock = await takeBootLock(database)
})
afterAll(async () => {
  await lock.release()
  await database.close()
  await instance.close()
})

/** Everything of the service in the database, as PostgreSQL describes it. */
async function shape() {
  return {
    columns: await instance.sql`
      select table_name, column_name, data_type, is_nullable, column_default, generation_expression from information_schema.columns
      where table_schema = 'public' order by 1, 2`,
    indexes: await instance.sql`select indexdef from pg_indexes where schemaname = 'public' order by 1`,
    constraints: await instance.sql`
      select conrelid::regclass::text, conname, pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace order by 1, 2`,
    functions: await instance.sql`select pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace order by 1`,
    triggers: await instance.sql`select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal order by 1`
  }
}

/** Runs the revision's down file in a transaction that is rolled back. */
async function takeBack(revision: string, run: (tx: TransactionSql, down: string) => Promise<void>): Promise<void> {
  const { down } = readMigrations(join(root, 'drizzle')).find(migration => migration.revision === revision)!
  const enough = new Error('only a test')
  await expect(instance.sql.begin(async (tx) => {
    await run(tx, down!.replaceAll('--> statement-breakpoint', ''))
    throw enough
  })).rejects.toBe(enough)
}

describe('migrations', () => {
  test.each(branches)('of $module have a down file for each up file', ({ folder }) => {
    expect(readMigrations(folder).filter(({ down }) => down === null)).toEqual([])
  })

  test.each(branches)('of $module keep only the newest snapshot for the generator', ({ folder }) => {
    const number = headOf(folder)!.slice(0, 4)
    expect(readdirSync(join(folder, 'meta')).sort()).toEqual([`${number}_snapshot.json`, '_journal.json'])
  })

  test.each([
    ['0026_confirmation', 'factors_to_review', /taken back while 1 account\(s\) have second factors to confirm/],
    ['0022_second_factors', 'factors', /taken back while 1 account\(s\) have a second factor/]
  ])('of the core: %s is not reverted if an account could not sign in any more', async (revision, column, sentence) => {
    await takeBack(revision, async (tx, down) => {
      await tx`update core_user set ${tx(column)} = 'some' where id in (select id from core_user limit 1)`
      await expect(tx.savepoint(inner => inner.unsafe(down))).rejects.toThrow(sentence)
    })
  })

  test('of the core: sessions whose seals the earlier version cannot read end by reverting 0026_confirmation', async () => {
    await takeBack('0026_confirmation', async (tx, down) => {
      const open = async () => (await tx`select from core_session where revoked_at is null`).length
      expect(await open()).toBeGreaterThan(0)
      await tx`update core_session set confirmed_at = now(), confirmed_by = 'password'`
      await tx.unsafe(down)
      expect(await open()).toBe(0)
    })
  })

  test('of the core: imports that the earlier version would misread are removed by reverting 0025_import_options', async () => {
    await takeBack('0025_import_options', async (tx, down) => {
      const add = (state: string, mapping: object, options: object) => tx`
        insert into core_import (clinic_id, module, kind, head, encoding, delimiter, rows, settings, state, mapping, options)
        values ((select id from core_clinic limit 1), 'clinical', 'patients', '', 'utf-8', ',', 1, '{}', ${state},
          ${tx.json(mapping as never)}, ${tx.json(options as never)})`
      await add('checked', { phone: [1, 2] }, {})
      await add('checked', { phone: 3 }, { dates: 'day_first' })
      await add('checked', { phone: 4 }, {})
      await add('done', { phone: [5, 6], email: 7 }, { dates: 'day_first' })
      await tx.unsafe(down)
      expect(await tx`select state, mapping from core_import order by state`).toEqual([
        { state: 'checked', mapping: { phone: 4 } },
        { state: 'done', mapping: { phone: 5, email: 7 } }
      ])
    })
  })

  test('of the budget: reads and their index still work while 0022_report_indexes builds another one', async () => {
    const { folder } = branches.find(({ module }) => module === 'budget')!
    const [report, drop] = ['0022_report_indexes', '0023_drop_old_report_index'].map(revision =>
      readMigrations(folder).find(migration => migration.revision === revision)!)
    const run = (text: string) => instance.sql.begin(async (tx) => {
      await runFile(tx, text)
      return await tx<{ mode: string }[]>`
        select mode from pg_locks where pid = pg_backend_pid() and relation = 'budget'::regclass`
    })
    await run(drop!.down!)
    await run(report!.down!)
    const modes = (await run(report!.up)).map(({ mode }) => mode)
    expect(modes).toContain('ShareLock')
    expect(modes).not.toContain('AccessExclusiveLock')
    await run(drop!.up)
  })

  test('can all be reverted and run again, with the same schema as result', async () => {
    const modules = branches.filter(({ module }) => module !== 'core')
    // The operator installs some of them.
    for (const branch of modules.toReversed()) await migrateTo(lock, { ...branch, target: 'head' })
    const before = await shape()
    for (const branch of modules) await migrateTo(lock, { ...branch, target: 'base' })
    const left = await instance.sql`select table_name from information_schema.tables where table_schema = 'public' and table_name not like 'core\_%'`
    expect(left.map(row => row.table_name)).toEqual([])

    for (const branch of modules.toReversed()) await migrateTo(lock, { ...branch, target: 'head' })
    expect(await shape()).toEqual(before)
  })

  test('of the core can be reverted to an empty database and run again', async () => {
    const before = await shape()
    for (const branch of branches) await migrateTo(lock, { ...branch, target: 'base' })
    expect((await shape()).columns).toEqual([])
    expect((await shape()).functions).toEqual([])

    for (const branch of branches.toReversed()) await migrateTo(lock, { ...branch, target: 'head' })
    expect(await shape()).toEqual(before)
  })
})
