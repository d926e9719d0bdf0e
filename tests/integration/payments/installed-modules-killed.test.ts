import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { readConfig } from '../../../server/core/config.ts'
import { listBackups } from '../../../server/core/modules/backup/backup.ts'
import { restoreBackup } from '../../../server/core/modules/backup/restore.ts'
import { openHost } from '../../../server/core/open-host.ts'
import { copyDatabase, databaseUrl, onServer } from '../../support/database/database-server.ts'
import { aQuickFolder } from '../../support/database/quick-folder.ts'
import { objectsOf } from '../../support/documents/digest.ts'
import { anInstance } from '../../support/instance.ts'
import { root } from '../../support/modules/official.ts'
import { scheduleOptional } from '../../support/modules/packages.ts'
import { aMollie } from '../../support/providers/mollie.ts'
import { choose, paymentCalls, TRANSFER } from '../../support/providers/payments.ts'
import { aMessage, aMobilePatient, senderCtx, setSms } from '../../support/sms.ts'

/** `npm run test:load` kills at each point of each; `modules-killed` has each kind of step for a small module. */
const EVERY = process.env.LOAD ? 1 : 10
const MODULES = ['payments', 'sms'] as const
const OPERATIONS = ['install', 'upgrade', 'uninstall'] as const
const CASES = MODULES.flatMap(module => OPERATIONS.map(operation => ({ module, operation })))
  .filter(({ module, operation }) => process.env.LOAD || (module === 'payments' && operation === 'uninstall'))
const SCRIPT = join(import.meta.dirname, '../../support/database/boot-and-die.ts')
const SECRET = 'a secret for tests, long enough to pass'

interface Trial { url: string, storage: string }
interface Lived { pieces: string[], files: number }
type Point = [at: number, when: 'before' | 'after' | 'file']

const { admin, strategy, template } = inject('databases')
const made: string[] = []
const folders: string[] = []

async function copy(from: string): Promise<string> {
  const name = `svc_killed_${randomBytes(6).toString('hex')}`
  made.push(name)
  await copyDatabase({ admin, strategy }, from, name)
  return name
}

/** The database and the storage of an instance that both modules run in, with rows of each. */
let busy: { name: string, storage: string }
beforeAll(async () => {
  const name = await copy(template)
  const instance = await anInstance({ database_url: databaseUrl(admin, name), env: { SVC_WEBHOOK_ALLOW_PRIVATE: 'true' } })
  const mollie = await aMollie()
  mollie.reports('never')
  await scheduleOptional(instance)
  await instance.restart()
  const staff = await instance.as('admin')
  await choose(staff, { ...TRANSFER, ...mollie.settings })
  await setSms(instance, { provider: 'none' })
  const calls = paymentCalls(instance, staff)
  for (let patient = 0; patient < 3; patient++) {
    const { patient: browser, pay } = await calls.accepted()
    expect((await browser.get(pay)).status).toBe(303) // at the provider's page
  }
  await senderCtx(instance).channels.send('sms', aMessage(instance, await aMobilePatient(instance)))
  const storage = aQuickFolder('svc-busy-')
  folders.push(storage)
  cpSync(instance.storage, storage, { recursive: true })
  await instance.close()
  await mollie.close()
  busy = { name, storage }
})
afterAll(async () => {
  for (const folder of folders) rmSync(folder, { recursive: true })
  for (const name of made) await onServer(admin, sql => sql`drop database if exists ${sql(name)} with (force)`)
})

const envOf = ({ url, storage }: Trial) =>
  ({ PATH: process.env.PATH, DATABASE_URL: url, SVC_SECRET: SECRET, SVC_STORAGE: storage, LOG_LEVEL: 'silent' })

/** Null if the process was killed. */
function boot(trial: Trial, [at, when]: Point = [0, 'after']): Promise<Lived | null> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [SCRIPT, root, String(at), when, 'official'], { env: envOf(trial) }, (error, stdout) => {
      if (error && error.signal !== 'SIGKILL') reject(error)
      else resolve(error ? null : JSON.parse(stdout) as Lived)
    })
  })
}

async function withHost<T>(trial: Trial, run: (host: Awaited<ReturnType<typeof openHost>>) => Promise<T>): Promise<T> {
  const host = await openHost(readConfig(envOf(trial), root))
  try {
    return await run(host)
  } finally {
    await host.database.close()
  }
}

const setState = (trial: Trial, module: string, state: string) =>
  withHost(trial, ({ database: { sql } }) => sql`update core_module set state = ${state} where name = ${module}`)

/** The rows of the module's tables as text; undefined if it has none. */
const rowsOf = (trial: Trial, module: string) =>
  withHost(trial, async ({ database: { sql } }) => {
    const tables = await sql`
      select tablename as name from pg_tables where schemaname = 'public' and tablename like ${`${module}_%`} order by 1`
    return await Promise.all(tables.map(async ({ name }) =>
      [name, (await sql`select t::text as row from ${sql(name)} t order by 1`).map(({ row }) => row as string)] as const))
  })

/** Everything that a module operation leaves. */
const ending = (trial: Trial) =>
  withHost(trial, async ({ database: { sql }, config }) => ({
    modules: await sql`select name, state, version, applied_revision, error_message, pending from core_module order by 1`,
    migrations: await sql`select module_name, revision, checksum from core_migration order by 1, 2`,
    objects: await objectsOf(sql),
    backups: (await listBackups(config))
      .map(({ module, version, revision, rows }) => ({ module, version, revision, rows }))
  }))

const pointsOf = ({ pieces, files }: Lived): Point[] => [
  ...pieces.flatMap((piece, index): Point[] => [
    ...(piece === '' || piece === 'wrote' ? [] : [[index + 1, 'before'] as Point]),
    ...(piece === '' ? [] : [[index + 1, 'after'] as Point])
  ]),
  ...Array.from({ length: files }, (_, index): Point => [index + 1, 'file'])
]

/** Brings an instance to the moment before the operation. */
const PREPARE = {
  async install(trial: Trial, module: string) {
    await setState(trial, module, 'to_remove')
    await boot(trial)
    rmSync(join(trial.storage, 'backups'), { recursive: true })
    await setState(trial, module, 'to_install')
  },
  async upgrade(trial: Trial, module: string) {
    await setState(trial, module, 'to_upgrade')
    await withHost(trial, ({ database: { sql } }) =>
      sql`update core_module set version = '0.0.9' where name = ${module}`)
  },
  uninstall: (trial: Trial, module: string) => setState(trial, module, 'to_remove')
}

describe('with patients at the provider’s page and a message sent,', () => {
  test.each(CASES)(
    '$module killed at any point of its $operation ends as if undisturbed, with every row after a restore',
    { timeout: 900_000 },
    async ({ module, operation }) => {
      const first = await aTrial(busy)
      const rows = await rowsOf(first, module)
      expect(rows.flatMap(([, found]) => found).length).toBeGreaterThan(0)
      await PREPARE[operation](first, module)
      const prepared = { name: await copy(new URL(first.url).pathname.slice(1)), storage: first.storage }
      const undisturbed = await aTrial(prepared)
      const lived = await boot(undisturbed)
      const expected = await ending(undisturbed)
      expect(expected.modules.find(({ name }) => name === module)).toMatchObject({
        state: operation === 'uninstall' ? 'uninstalled' : 'installed', error_message: null, pending: null
      })

      for (const point of pointsOf(lived!).filter((_, index) => index % EVERY === 0)) {
        const where = `killed ${point[1]} ${point[0]}`
        const trial = await aTrial(prepared)
        expect(await boot(trial, point), where).toBeNull()
        await boot(trial)
        expect(await ending(trial), where).toEqual(expected)
        if (operation === 'uninstall') await restore(trial, module)
        if (operation !== 'install') expect(await rowsOf(trial, module), where).toEqual(rows)
      }
    }
  )
})

async function aTrial(from: { name: string, storage: string }): Promise<Trial> {
  const storage = aQuickFolder('svc-killed-')
  folders.push(storage)
  cpSync(from.storage, storage, { recursive: true })
  return { url: databaseUrl(admin, await copy(from.name)), storage }
}

async function restore(trial: Trial, module: string) {
  await setState(trial, module, 'to_install')
  await boot(trial)
  await withHost(trial, async (host) => {
    const backup = (await listBackups(host.config)).find(found => found.module === module)!
    await restoreBackup(host, backup.file)
  })
}
