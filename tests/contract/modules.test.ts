import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import semver from 'semver'
import { root as coreCommands } from '../../cli/commands.ts'
import type { Endpoint, ModuleDefinition } from '@svc/kit'
import { readConfig } from '../../server/core/config.ts'
import { openDatabase } from '../../server/core/db/client.ts'
import { takeBootLock } from '../../server/core/db/lock.ts'
import { migrateTo, readMigrations, tablesOf } from '../../server/core/db/migrate.ts'
import { discover, type Discovered } from '../../server/core/modules/discover.ts'
import { isNamedAccess } from '../../server/core/http/named-access.ts'
import { endpointOf } from '../../server/core/http/scan.ts'
import type { Route } from '../../server/core/types.ts'
import { loadDefinition, routesOf } from '../../server/core/modules/load.ts'
import { openPathsOf } from '../../server/core/modules/own-paths.ts'
import { parseManifest } from '../../server/core/manifest.ts'
import { migrationsOf } from '../../server/core/modules/steps.ts'
import { databaseUrl, onServer } from '../support/database/database-server.ts'
import { createCaller } from '../support/caller.ts'
import { anInstance, type Instance } from '../support/instance.ts'
import { official, root } from '../support/modules/official.ts'
import { aNewModule, install, PACKAGES, putZod, scheduleOptional } from '../support/modules/packages.ts'
import { getRunning } from './get-running.ts'
import { testReach } from './reach.ts'

/**
 * The suite runs for every module: those of the release, packages of other authors, and what `npm run new:module`
 * makes. `svc-module-test` runs it only for the packages that it is called with.
 */
const named = (process.env.SVC_TEST_MODULES ?? '').split(delimiter).filter(folder => folder !== '')
const fresh = aNewModule('my_notes')
const OURS = ['svc-module-recall', 'svc-module-deposits-by-hand', 'svc-module-pigeon'].map(name => join(PACKAGES, name))
const packages = named.length > 0 ? named : [...OURS, fresh]
const onDisk = (await discover({ root, storage: '/nowhere' })).filter(module => module.bundled)
const modules = [...(named.length > 0 ? [] : onDisk), ...packages.map(asInstalled)].map(
  module => [module.name, module] as const
)
/** Paths below other modules' pages that are open to a module because it depends on them. */
const openTo = ({ manifest }: Discovered) =>
  openPathsOf([...onDisk, ...packages.map(asInstalled)].flatMap(({ name, manifest: other }) =>
    other && manifest!.depends.includes(name) ? [other] : []))

let instance: Instance
beforeAll(async () => {
  instance = await anInstance()
  if (named.length === 0) putZod(instance.storage)
  if (named.length === 0) await scheduleOptional(instance)
  await install(instance, ...packages)
})
afterAll(async () => {
  await instance?.close()
  rmSync(dirname(fresh), { recursive: true })
})

/** Describes a package as `discover` does when the package lies in an instance's volume. */
function asInstalled(folder: string): Discovered {
  const parsed = parseManifest(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')))
  if (parsed.error !== undefined) throw new Error(parsed.error)
  const { manifest, version, summary } = parsed
  return { name: manifest.name, folder, version, summary, manifest, error: null, bundled: false }
}

const anId = '00000000-0000-4000-8000-000000000000'
type Known = Endpoint & Pick<Route, 'method' | 'path'>
const addressOf = ({ path }: Known) => path.replaceAll(/:\w+/g, anId)
const known = (routes: Route[]): Promise<Known[]> =>
  Promise.all(routes.map(async ({ method, path, load }) => ({ ...endpointOf((await load()).default)!, method, path })))

describe.each(modules)('the package of %s', (name, module) => {
  const manifest = module.manifest!
  const folder = migrationsOf(module)
  let definition: ModuleDefinition
  let endpoints: Known[]
  beforeAll(async () => {
    definition = await loadDefinition(module, official)
    endpoints = await known(routesOf(module, official, openTo(module)))
  })

  it('has a manifest, a version and a summary', () => {
    expect(module).toMatchObject({ error: null, name })
    expect(semver.valid(module.version)).toBe(module.version)
    expect(module.summary.length).toBeGreaterThan(10)
    expect(manifest.category).toBe(module.bundled ? 'official' : 'community')
    expect(existsSync(join(module.folder, 'README.md'))).toBe(true)
  })

  it('holds every file that the manifest names', () => {
    const named = [manifest.server, manifest.migrations, manifest.layer, ...manifest.seed].filter(path => path !== null)
    expect(named.filter(path => !existsSync(join(module.folder, path)))).toEqual([])
  })

  it('has a down file for each up file, and tables whose names begin with its own name', () => {
    if (!folder) return expect(manifest.seed).toEqual([])
    expect(readMigrations(folder).filter(({ down }) => down === null)).toEqual([])
    expect(tablesOf(folder).filter(table => table !== name && !table.startsWith(`${name}_`))).toEqual([])
  })

  it('migrates up, down and up again: down leaves no table, type, function or sequence behind', async () => {
    if (!folder) return
    const { admin } = inject('databases')
    const at = `svc_contract_${name}_${process.pid}`
    await onServer(admin, sql => sql`create database ${sql(at)}`)
    const database = await openDatabase(
      readConfig(
        {
          DATABASE_URL: databaseUrl(admin, at),
          SVC_SECRET: 'a secret for tests, long enough to pass',
          LOG_LEVEL: 'silent'
        },
        root
      ),
      { max: 2 }
    )
    const lock = await takeBootLock(database)
    const objects = () => database.sql`
      select oid::regclass::text as name from pg_class where relnamespace = 'public'::regnamespace
      union all select oid::regprocedure::text from pg_proc where pronamespace = 'public'::regnamespace
      union all select oid::regtype::text from pg_type where typnamespace = 'public'::regnamespace order by 1`
    try {
      await migrateTo(lock, { module: 'core', folder: join(root, 'drizzle'), target: 'head' })
      const before = await objects()
      const heads = []
      for (const target of ['head', 'base', 'head', 'base'] as const) {
        await migrateTo(lock, { module: name, folder, target })
        heads.push(await objects())
      }
      expect(heads[1]).toEqual(before)
      expect(heads[3]).toEqual(before)
      expect(heads[2]).toEqual(heads[0])
      expect(heads[0]!.length).toBeGreaterThan(before.length)
    } finally {
      await lock.release()
      await database.close()
      await onServer(admin, sql => sql`drop database ${sql(at)} with (force)`)
    }
  })

  it('has the same texts in each of its languages, including those of its sidebar entries', () => {
    if (!manifest.layer) return
    const folders = ['i18n/locales', 'i18n/staff']
      .map(folder => join(module.folder, manifest.layer!, folder))
      .filter(folder => existsSync(folder))
    const known = folders.flatMap((folder) => {
      const keys = readdirSync(folder).map(file => keysOf(JSON.parse(readFileSync(join(folder, file), 'utf8'))))
      expect(keys.length).toBeGreaterThanOrEqual(2)
      for (const other of keys) expect(other).toEqual(keys[0])
      return keys[0]!
    })
    expect(manifest.navigation.map(({ label }) => label).filter(label => !known.includes(label))).toEqual([])
  })

  it('has exactly the commands that its manifest names, and replaces none of the core\'s', () => {
    const named = Object.keys(manifest.commands)
    expect(Object.keys(definition.commands ?? {}).sort()).toEqual(named.toSorted())
    expect(named.filter(command => Object.hasOwn(coreCommands.subCommands!, command.split(' ')[0]!))).toEqual([])
    for (const { args = [] } of Object.values(definition.commands ?? {})) {
      const firstOptional = args.findIndex(({ required }) => !required)
      expect(firstOptional === -1 || args.slice(firstOptional).every(({ required }) => !required)).toBe(true)
    }
  })

  it('has routes below its own name, which require permissions of its own and have a description', () => {
    const own = manifest.permissions.map(permission => `${name}.${permission}`)
    for (const { path, access, summary } of endpoints) {
      const opened = [...openTo(module)].find(([, opened]) => path.startsWith(`${opened}/${name}/`))?.[0]
      if (opened) expect(access, path).toBe(opened)
      else if (!module.bundled) expect(path).toMatch(new RegExp(`^/api/v1/(public/)?${name}/`))
      if (typeof access === 'object') expect(own, path).toContain(access.permission)
      expect(summary, path).toMatch(/^[A-Z].+\.$/)
    }
    expect(
      manifest.navigation
        .map(({ permission }) => permission)
        .filter(permission => permission !== null && !own.includes(permission))
    ).toEqual([])
  })
})

testReach(modules, () => instance)

describe.each(modules)('a running instance with %s', (name, module) => {
  const manifest = module.manifest!
  let endpoints: Known[]
  beforeAll(async () => {
    endpoints = await known(getRunning(instance, name).routes)
  })
  const staffRoutes = () =>
    endpoints.filter(({ access }) => access !== 'none' && typeof access !== 'function' && !isNamedAccess(access))

  it('runs, and is listed for people who are signed in', async () => {
    const [row] = await instance.sql`select state, version, error_message from core_module where name = ${name}`
    expect(row).toEqual({ state: 'installed', version: module.version, error_message: null })
    const active = (await (await instance.as('hygienist')).get('/api/v1/modules/-/active')).body.data
    expect(active.find((entry: { name: string }) => entry.name === name)).toMatchObject({
      version: module.version,
      category: manifest.category,
      summary: module.summary,
      permissions: manifest.permissions.map(permission => `${name}.${permission}`)
    })
  })

  it('gives the administrator all its permissions, and each other role those in the manifest', async () => {
    for (const role of ['admin', 'dentist', 'hygienist', 'assistant', 'receptionist'] as const) {
      const granted = (await (await instance.as(role)).get('/me')).body.data.permissions.filter((permission: string) =>
        permission.startsWith(`${name}.`)
      )
      const declared = role === 'admin' ? ['*'] : manifest.role_permissions[role] ?? []
      const expected = declared.includes('*') ? manifest.permissions : declared
      expect([role, granted.sort()]).toEqual([role, expected.map(permission => `${name}.${permission}`).sort()])
    }
  })

  it('runs each of its commands that needs no arguments', async () => {
    const { definition: { commands = {} }, ctx } = getRunning(instance, name)
    for (const { args = [], run, part } of Object.values(commands)) {
      if (args.some(({ required }) => required)) continue
      const runPart = async <Output>(input: unknown) => await part!(ctx, input) as Output
      expect(await run(ctx, { args: {}, options: {}, progress: () => {}, runPart })).toEqual({
        text: expect.stringMatching(/./),
        json: expect.anything(),
        ok: true
      })
    }
  })

  it('answers 401 without a session, and 403 with the missing permission\'s name, on every staff route', async () => {
    const anonymous = createCaller(instance.url)
    const member = await instance.as('hygienist')
    const permissions: string[] = (await member.get('/me')).body.data.permissions
    for (const endpoint of staffRoutes()) {
      const call = (caller: typeof member) =>
        endpoint.method === 'get' || endpoint.method === 'delete'
          ? caller[endpoint.method](addressOf(endpoint))
          : caller[endpoint.method](addressOf(endpoint), {})
      const route = `${endpoint.method} ${endpoint.path}`
      expect([route, (await call(anonymous)).status]).toEqual([route, 401])
      if (typeof endpoint.access !== 'object' || permissions.includes(endpoint.access.permission)) continue
      const { status, body } = await call(member)
      expect([route, status, body.detail]).toEqual([route, 403, `Permission denied: ${endpoint.access.permission}`])
    }
  })

  it('answers 404 both to an unknown id and to a malformed one', async () => {
    const admin = await instance.as('admin')
    for (const endpoint of staffRoutes().filter(({ method, path }) => method === 'get' && path.includes(':'))) {
      for (const id of [anId, 'x', '%00']) {
        const { status } = await admin.get(endpoint.path.replaceAll(/:\w+/g, id))
        expect([endpoint.path, id, status]).toEqual([endpoint.path, id, 404])
      }
    }
  })

  it('has no data to export or erase for an unknown person', async () => {
    const { definition, ctx } = getRunning(instance, name)
    const stranger = { clinic_id: instance.clinic.id, id: anId, name: 'A stranger' }
    if (manifest.migrations) expect(definition.hooks?.erase).toBeTypeOf('function')
    const { erased = [], held = [] } = await definition.hooks?.erase?.(ctx, stranger, { dry_run: true }) ?? {}
    expect([erased.filter(({ count }) => count > 0), held]).toEqual([[], []])
    const { records = {}, files = [] } = await definition.hooks?.export?.(ctx, stranger) ?? {}
    expect([Object.values(records).flat(), files]).toEqual([[], []])
    expect(await definition.hooks?.find_person?.(ctx, anId) ?? null).toBeNull()
  })

  it('has every route described in the API document', async () => {
    const { paths } = (await instance.anonymous().get('/api/v1/openapi.json')).body
    const missing = endpoints.filter(({ method, path }) => !paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method])
    expect(missing.map(({ path }) => path)).toEqual([])
  })

  it('has no foreign key to tables of other modules, and none that a restore could not defer', async () => {
    const folder = migrationsOf(module)
    const tables = folder ? tablesOf(folder) : []
    const keys = await instance.sql<{ own: string, foreign: string, condeferrable: boolean }[]>`
      select conrelid::regclass::text as own, confrelid::regclass::text as foreign, condeferrable from pg_constraint
      where contype = 'f' and (conrelid::regclass::text = any (${tables}) or confrelid::regclass::text = any (${tables}))`
    expect(
      keys.filter(key => !tables.includes(key.own) || !tables.includes(key.foreign) || !key.condeferrable)
    ).toEqual([])
  })
})

function keysOf(texts: Record<string, unknown>, prefix = ''): string[] {
  return Object.entries(texts)
    .flatMap(([key, value]) =>
      typeof value === 'string' ? [`${prefix}${key}`] : keysOf(value as Record<string, unknown>, `${prefix}${key}.`)
    )
    .sort()
}
