import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../server/core/config.ts'
import { openDatabase, type Database } from '../../server/core/db/client.ts'
import { start } from '../../server/core/runtime.ts'
import { aFolder, cleanEnv, svc, textOf } from '../support/cli.ts'
import { writeModule } from '../support/modules/modules.ts'
import { coreOnly, root } from '../support/modules/official.ts'

/** The test has its own instance folder with two modules of the release, one package, and one broken module. */
const folder = aFolder()
const env = { SVC_ROOT: folder.path, PORT: '1', LOG_LEVEL: 'silent' }
const table = (name: string) => ({
  '0000_first.sql': `create table ${name} (id integer primary key)`,
  '0000_first.down.sql': `drop table ${name}`
})
const run = (words: string) => svc(['modules', ...words.split(' ')], { env })
async function json(words: string, extra: Record<string, string> = {}) {
  const { code, stdout } = await svc(['modules', ...words.split(' '), '--json'], { env: { ...env, ...extra } })
  return { code, document: JSON.parse(stdout) }
}
/** Starts the core once, as a restart does. */
async function boot() {
  const runtime = await start(readConfig(env, folder.path), coreOnly)
  await runtime.close()
}

let database: Database
beforeAll(async () => {
  mkdirSync(join(folder.path, 'layers'))
  symlinkSync(join(root, 'drizzle'), join(folder.path, 'drizzle'))
  cpSync(join(root, 'package.json'), join(folder.path, 'package.json'))
  // Keeps the embedded server running between the commands.
  database = await openDatabase({ database_url: null, storage: join(folder.path, 'storage'), root })
})
afterAll(async () => {
  await database.close()
  folder.remove()
})

const SCHEDULING = ['install base', 'upgrade base', 'uninstall base', 'orphan base', 'cancel base']
const EVERY = ['list', 'info base', 'status', 'doctor', ...SCHEDULING, 'sync-frontend', 'restore none.sql']

describe('with --json stdout is one document in every state, and no command prompts', () => {
  it.each([...EVERY, 'backups', 'restart'])('without a database: modules %s', async (words) => {
    const { code, document } = await json(words, { DATABASE_URL: 'postgres://svc:hunter2@127.0.0.1:1/svc' })
    const isOffline = words === 'backups' || words === 'restart'
    expect(code).toBe(isOffline ? 0 : 4)
    if (!isOffline) expect(document.error.code).toBe('database_unreachable')
    expect(JSON.stringify(document)).not.toContain('hunter2')
  })

  it.each(EVERY.filter(words => !words.startsWith('restore')))('without the tables: modules %s', async (words) => {
    expect(await json(words)).toMatchObject({
      code: 4,
      document: { error: { code: 'database_not_migrated', hint: 'svc db migrate' } }
    })
  })
})

describe('the life of a package', () => {
  beforeAll(async () => {
    writeModule(join(folder.path, 'layers/base'), 'base', { category: 'official', migrations: table('base_thing') })
    writeModule(join(folder.path, 'layers/plain'), 'plain', { category: 'official', svc: { layer: '.' } })
    await boot()
    const recall = join(folder.path, 'storage/modules/node_modules/svc-module-recall')
    writeModule(recall, 'recall', { depends: ['base'], migrations: table('recall_entry'), svc: { layer: 'layer' } })
    mkdirSync(join(recall, 'layer'))
  })

  it('install prints the chain and how to restart', async () => {
    const rehearsed = await run('install recall --dry-run')
    expect(rehearsed.stdout).toContain('1. install recall: migrate, seed, lifecycle, finalize')
    const { code, stdout, stderr } = await run('install recall')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toBe(
      'Scheduled for install on next restart:\n  - recall\n\nNothing runs here. Start with: svc start\n'
    )
    expect(await json('status')).toMatchObject({ document: { pending: ['recall'] } })
    await boot()
    expect((await json('info recall')).document).toMatchObject({
      state: 'installed',
      version: '1.0.0',
      applied_revision: '0000_first'
    })
    expect(await run('install recall')).toMatchObject({ code: 0, stdout: 'Nothing to do.\n' })
  })

  it('upgrade reports that there is no newer version', async () => {
    expect(await run('upgrade recall')).toMatchObject({
      code: 0,
      stdout: 'Module is already at the declared version.\n'
    })
    expect(await json('upgrade recall')).toEqual({
      code: 0,
      document: { scheduled: [], requires_restart: false, message: 'Module is already at the declared version.' }
    })
  })

  it('sync-frontend writes modules.json and prints its entries', async () => {
    const { stdout } = await run('sync-frontend')
    expect(stdout).toMatch(
      /^NAME +PATH\nplain +layers\/plain\nrecall +storage\/modules\/node_modules\/svc-module-recall\/layer\n/
    )
    expect(
      JSON.parse(readFileSync(join(folder.path, 'modules.json'), 'utf8')).modules.map(
        ({ name }: { name: string }) => name
      )
    ).toEqual(['plain', 'recall'])
    expect((await json('sync-frontend')).document).toMatchObject({ changed: false })
  })

  it('sync-frontend --on-disk includes modules that are not installed, and needs no database', async () => {
    const shelf = join(folder.path, 'storage/modules/node_modules/svc-module-shelf')
    writeModule(shelf, 'shelf', { svc: { layer: 'layer' } })
    mkdirSync(join(shelf, 'layer'))
    const named = async (words: string, extra = {}) =>
      (await json(words, extra)).document.modules.map(({ name }: { name: string }) => name)
    expect(await named('sync-frontend')).toEqual(['plain', 'recall'])
    expect(await named('sync-frontend --on-disk', { DATABASE_URL: 'postgres://svc:hunter2@127.0.0.1:1/svc' })).toEqual([
      'plain',
      'recall',
      'shelf'
    ])
    rmSync(shelf, { recursive: true })
    expect(await named('sync-frontend')).toEqual(['plain', 'recall'])
  })

  it('a refusal exits with 3 and lists every reason', async () => {
    const { code, stdout, stderr } = await run('uninstall base')
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
    expect(stderr).toContain('required by recall')
    expect(stderr).toContain('removable is false')
    const { document } = await json('uninstall plain --force')
    expect(document.error).toMatchObject({
      code: 'module_refused',
      message: expect.stringContaining('no Alembic branch'),
      hint: null,
      reasons: [expect.any(String)]
    })
    expect((await json('orphan base')).code).toBe(3)
    expect((await json('uninstall nothing')).document.error.code).toBe('unknown_module')
  })

  it('uninstall makes a backup, backups lists it, and restore restores the data', async () => {
    await database.sql`insert into recall_entry values (1), (2)`
    expect((await json('uninstall recall')).document).toEqual({ scheduled: ['recall'], requires_restart: true })
    expect((await json('cancel recall')).document).toMatchObject({ message: 'Cancelled the uninstall of recall.' })
    expect((await run('uninstall recall')).stdout).toMatch(/^Scheduled for uninstall on next restart:\n {2}- recall\n/)
    await boot()
    const [backup] = (await json('backups')).document
    expect(backup).toMatchObject({ module: 'recall', rows: { recall_entry: 2 } })
    expect((await run('backups')).stdout).toMatch(
      new RegExp(`^FILE +MODULE +VERSION +REVISION +CREATED +ROWS +BYTES\n${backup.file} +recall +1.0.0`)
    )
    expect(await json(`restore ${backup.file}`)).toMatchObject({
      code: 3,
      document: { error: { code: 'not_installed' } }
    })
    expect(await json('restore none.sql')).toMatchObject({ code: 2, document: { error: { code: 'backup_not_found' } } })
    await run('install recall')
    await boot()
    expect((await run(`restore ${backup.file}`)).stdout).toContain('recall_entry: 2 rows')
    expect(await database.sql`select count(*)::int as n from recall_entry`).toEqual([{ n: 2 }])
  })

  it('the doctor first finds no problem, and then finds one', async () => {
    const scripts = 'Latin, Greek, Cyrillic, Arabic, Chinese, Japanese, Korean, Thai, Devanagari, Hebrew, Emoji'
    const fine = `All checks passed.\n\nScripts in PDFs: ${scripts}\n`
    expect(await run('doctor')).toMatchObject({ code: 0, stdout: fine })
    expect(await json('doctor', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' })).toMatchObject({
      code: 0,
      document: { ok: true }
    })
    writeModule(join(folder.path, 'storage/modules/node_modules/svc-module-broken'), 'broken', {
      svc: { depends: 'everything' }
    })
    await database.sql`insert into core_module (name, state, version, category) values ('gone', 'installed', '1.0.0', 'community')`
    await database.sql`update core_module set error_message = 'the seed was refused' where name = 'recall'`
    await database.sql`update core_module set state = 'uninstalled' where name = 'base'`
    const { code, stdout } = await run('doctor')
    expect(code).toBe(1)
    for (const part of [
      'Orphan modules (in DB, missing from disk):\n  - gone\n',
      'svc modules orphan gone',
      'Missing dependencies:\n  - recall needs base\n      svc modules install base',
      'Manifest errors:\n  - broken: svc.depends',
      'Errored modules:\n  - recall: the seed was refused'
    ])
      expect(stdout).toContain(part)
    expect(await json('doctor')).toMatchObject({
      code: 1,
      document: { ok: false, orphans: ['gone'], missing_dependencies: [{ module: 'recall', missing: 'base' }] }
    })
  })

  it.each(['list', 'info recall', 'status', 'doctor'])(
    'with a broken manifest, a missing dependency and an orphan: modules %s',
    async (words) => {
      const { code, document } = await json(words)
      expect(code).toBe(words === 'doctor' ? 1 : 0)
      expect(document).toBeTruthy()
    }
  )

  it('restart and up are refused while the code of an installed module is missing, with both remedies', async () => {
    const probe = createServer((_, response) => response.end()).listen(0, '127.0.0.1')
    await once(probe, 'listening')
    const { port } = probe.address() as AddressInfo
    const message = 'The service would not start again: gone is installed, but its code is not on disk. '
      + 'Restore its package, or mark it as uninstalled: svc modules orphan gone'
    try {
      expect(await json('restart', { PORT: String(port) })).toMatchObject({
        code: 3,
        document: { error: { code: 'orphan_modules', message } }
      })
      // A restart may be what reconnects the service to its database, so it is allowed.
      const away = { PORT: String(port), DATABASE_URL: 'postgres://svc@127.0.0.1:1/svc' }
      expect((await json('restart', away)).code).toBe(0)
    } finally {
      probe.close()
    }
    const up = await svc(['up'], { env: { ...env, PORT: String(port) } })
    expect([up.code, up.stderr]).toEqual([3, expect.stringContaining(message)])
  })

  it('orphan marks the module as uninstalled', async () => {
    expect((await run('orphan gone')).stdout).toMatch(/^Marked as uninstalled:\n {2}- gone\n/)
  })

  it('the doctor is not disturbed by a package that prints, leaves a promise unhandled and keeps a timer', async () => {
    const code
      = 'console.log("noise"); Promise.reject(new Error("floating")); setInterval(() => {}, 60_000); export default {}'
    const noisy = writeModule(join(folder.path, 'storage/modules/node_modules/svc-module-noisy'), 'noisy', { code })
    await database.sql`insert into core_module (name, state, version, category) values ('noisy', 'installed', '1.0.0', 'community')`
    const { code: exit, stdout, stderr } = await svc(['modules', 'doctor', '--json'], { env })
    expect([exit, JSON.parse(stdout).ok]).toEqual([1, false])
    expect(stderr).toContain('noise')
    expect(stderr).toContain('floating')
    await database.sql`delete from core_module where name = 'noisy'`
    rmSync(noisy, { recursive: true })
  })

  it('advice alone makes the doctor fail only with --strict', async () => {
    rmSync(join(folder.path, 'storage/modules/node_modules/svc-module-broken'), { recursive: true })
    await database.sql`update core_module set state = 'installed', error_message = null where name in ('base', 'recall')`
    const advised = { SVC_BASE_URL: 'https://sol.example' }
    expect(await json('doctor', advised)).toMatchObject({
      code: 0,
      document: { ok: true, advice: [{ code: 'proxies' }] }
    })
    expect((await json('doctor --strict', advised)).code).toBe(1)
  })
})

describe('restart', () => {
  it('shows with --dry-run the next step for this kind of instance, and restarts nothing', async () => {
    expect((await json('restart --dry-run')).document).toMatchObject({
      running: false,
      how: 'stopped',
      steps: ['Nothing runs here. Start with: svc start']
    })
    const other = createServer((_, response) => response.end()).listen(0, '127.0.0.1')
    await new Promise(resolve => other.once('listening', resolve))
    const { port } = other.address() as AddressInfo
    mkdirSync(join(folder.path, 'storage/run'), { recursive: true })
    writeFileSync(
      join(folder.path, 'storage/run/instance.json'),
      JSON.stringify({ pid: process.pid, server_pid: 4711, url: `http://127.0.0.1:${port}` })
    )
    const { document } = await json('restart --dry-run')
    expect(document).toMatchObject({ running: true, how: 'supervised' })
    expect(document.steps[0]).toContain('svc modules restart')
    expect(document.steps[1]).toContain('/api/v1/modules/-/restart')
    other.close()
  })
})

it('output can be piped into another program with every warning of the runtime switched on', async () => {
  const command = `"${join(root, 'bin/svc')}" modules list --json | "${process.execPath}" -e 'JSON.parse(require("fs").readFileSync(0, "utf8"))'`
  const shell = spawn('bash', ['-c', `set -o pipefail; ${command}`], {
    env: cleanEnv({ ...env, NODE_OPTIONS: '--trace-warnings' }),
    stdio: ['ignore', 'pipe', 'pipe']
  })
  const stderr = textOf(shell.stderr)
  const code = await new Promise(resolve => shell.on('close', resolve))
  expect({ code, stderr: stderr() }).toEqual({ code: 0, stderr: '' })
})
