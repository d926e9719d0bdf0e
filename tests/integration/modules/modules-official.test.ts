import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { foldCounts } from '../../../layers/budget/server/db/reports/counts.ts'
import { tablesOf } from '../../../server/core/db/migrate.ts'
import { fillDemo } from '../../../server/core/demo/demo.ts'
import { listBackups } from '../../../server/core/modules/backup/backup.ts'
import { discover } from '../../../server/core/modules/discover.ts'
import { restoreBackup } from '../../../server/core/modules/backup/restore.ts'
import { migrationsOf } from '../../../server/core/modules/steps.ts'
import { digestOf, objectsOf } from '../../support/documents/digest.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { root } from '../../support/modules/official.ts'
import { install, PACKAGES, scheduleOptional } from '../../support/modules/packages.ts'

const official = (await discover({ root, storage: join(root, 'nowhere') })).filter(
  module => module.bundled && migrationsOf(module)
)
/** A community module too, whose hook writes into its own table. */
const modules = [
  ...official.map(module => ({ name: module.name, folder: migrationsOf(module)! })),
  { name: 'recall', folder: join(PACKAGES, 'svc-module-recall/migrations') }
]
/** The hook writes at each install and removal. */
const WRITTEN_BY_HOOKS = 'recall_history'

let instance: Instance
beforeAll(async () => {
  instance = await anInstance()
  await scheduleOptional(instance)
  await install(instance, 'svc-module-recall')
  await fillDemo(instance.runtime.host)
  const waiting = () =>
    instance.sql`select module_name, name from core_delivery where status = 'pending'`.then(rows => rows.length)
  await vi.waitUntil(async () => await waiting() === 0, { timeout: 60_000, interval: 200 })
  await foldCounts(instance.runtime.host.db) // leaves no counts for the job that folds them every ten minutes
})
afterAll(() => instance.close())

const schedule = (name: string, state: string, pending: object) =>
  instance.sql`update core_module set state = ${state}, pending = ${JSON.stringify(pending)}::text::jsonb where name = ${name}`
const sequences = async () =>
  (
    await instance.sql`select sequencename, last_value::text from pg_sequences where schemaname = 'public' and sequencename not like 'core\\_%' order by 1`
  ).map(row => ({ ...row }))

describe.each(modules.map(({ name, folder }) => ({ name, tables: tablesOf(folder) })))('$name', ({ name, tables }) => {
  test(
    'leaves nothing in the catalog when uninstalled, and has equal checksums after an install and a restore',
    { timeout: 120_000 },
    async () => {
      const { sql } = instance
      const mine = async () => ({
        data: await digestOf(sql, tables),
        records:
          await sql`select xml_id, table_name, record_id from core_external_id where module_name = ${name} order by 1`,
        sequences: await sequences()
      })
      const [before, objects] = [await mine(), await objectsOf(sql)]
      expect(Object.values(before.data).some(digest => !digest.startsWith('0:'))).toBe(true)

      await schedule(name, 'to_remove', { force: true })
      await instance.restart()
      expect(await sql`select state, applied_revision, error_message from core_module where name = ${name}`).toEqual([
        { state: 'uninstalled', applied_revision: null, error_message: null }
      ])
      const left = await objectsOf(sql)
      expect(left.filter(object => new RegExp(`\\b_?${name}(_|$)`).test(object))).toEqual([])

      await schedule(name, 'to_install', {})
      await instance.restart()
      expect(await objectsOf(sql)).toEqual(objects)
      const backup = (await listBackups(instance.runtime.host.config)).find(({ module }) => module === name)!
      await restoreBackup(instance.runtime.host, backup.file)
      expect(await mine()).toEqual(before)
      expect(instance.runtime.host.registry.broken).toEqual([])
    }
  )

  test(
    'keeps tables and records when uninstalled without its data, and a later install adopts them',
    { timeout: 120_000 },
    async () => {
      const { sql } = instance
      const mine = async () => ({
        data: await digestOf(
          sql,
          tables.filter(table => table !== WRITTEN_BY_HOOKS)
        ),
        records: await sql`select xml_id, record_id from core_external_id where module_name = ${name} order by 1`
      })
      const [before, objects, backups] = [
        await mine(),
        await objectsOf(sql),
        await listBackups(instance.runtime.host.config)
      ]
      await schedule(name, 'to_remove', { force: true, keep_data: true })
      await instance.restart()
      expect([await mine(), await objectsOf(sql)]).toEqual([before, objects])
      expect(instance.runtime.host.registry.get(name)).toBeUndefined()

      await schedule(name, 'to_install', {})
      await instance.restart()
      expect(await mine()).toEqual(before)
      expect(await listBackups(instance.runtime.host.config)).toEqual(backups)
      expect(instance.runtime.host.registry.get(name)).toBeDefined()
    }
  )
})
