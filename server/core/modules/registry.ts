import type { Endpoint, ModuleDefinition } from '@svc/kit'
import { createCtx } from '../context.ts'
import { readMigrations } from '../db/migrate.ts'
import { coreProblems } from '../http/problems.ts'
import type { BrokenModule, Registry, RunningModule, Services } from '../services.ts'
import type { Discovered } from './discover.ts'
import { loadDefinition, type Bundled } from './load.ts'
import { inDependencyOrder } from './plan.ts'
import { migrationsOf } from './steps.ts'
import { clearError, readModules, recordError, type ModuleRow } from './store.ts'

/** Permissions of the core itself; the clinic's administrator has them. `modules.manage` is the instance's, no role's. */
const CORE_PERMISSIONS = ['users.manage', 'clinic.manage', 'webhooks.manage', 'privacy.manage']
/** Marks an error of this stage, which goes when the module runs again; one of a step stays. */
const NOT_STARTED = 'could not be started: '

interface Starting {
  services: Services
  discovered: Discovered[]
  bundled: Bundled
  /** Write the reasons of modules that do not start into their rows. Default true. */
  record?: boolean
}

/**
 * Starts the installed modules whose dependencies run, dependencies first. What cannot be started is in
 * `broken` with its reason, a module whose install failed too; nothing here throws because of a module.
 */
export async function createRegistry({ services, discovered, bundled, record = true }: Starting): Promise<Registry> {
  const rows = await readModules(services.database.sql)
  const candidates = rows.filter(row => wasInstalled(row) || (row.state === 'to_install' && row.error_message !== null)).flatMap((row) => {
    const disk = discovered.find(module => module.name === row.name)
    return disk ? [{ name: row.name, depends: disk.manifest?.depends ?? row.manifest?.depends ?? [], row, disk }] : []
  })
  const modules: RunningModule[] = []
  const broken: BrokenModule[] = []
  // Official ones first where the order is free: a package cannot take a route away from the release.
  const ordered = inDependencyOrder(candidates)
  for (const { row, disk } of [...ordered.filter(({ disk }) => disk.bundled), ...ordered.filter(({ disk }) => !disk.bundled)]) {
    const started = await startModule({ row, disk, bundled, modules })
    if (started.reason === null) {
      const { manifest, definition } = started
      modules.push({ name: row.name, version: row.version ?? disk.version, manifest, definition, ctx: createCtx(services, { name: row.name, depends: manifest.depends }) })
    } else {
      const { reason, definition } = started
      // Events wait for a module that is to come back, not for one that was never there.
      broken.push({ name: row.name, reason, endpoints: definition?.endpoints ?? [], subscribes: wasInstalled(row) ? Object.keys(definition?.on ?? {}) : [] })
    }
    if (record) await noteStart(services, row, started.reason)
  }
  return toRegistry(modules, broken)
}

const wasInstalled = ({ state }: ModuleRow) => state !== 'uninstalled' && state !== 'to_install'

type Started
  = | { reason: null, definition: ModuleDefinition, manifest: NonNullable<Discovered['manifest']> }
    | { reason: string, definition?: ModuleDefinition }

async function startModule({ row, disk, bundled, modules }: { row: ModuleRow, disk: Discovered, bundled: Bundled, modules: RunningModule[] }): Promise<Started> {
  if (!disk.manifest) return { reason: `the manifest is broken: ${disk.error}` }
  let definition: ModuleDefinition
  try {
    definition = await loadDefinition(disk, bundled)
  } catch (error) {
    return { reason: `its code cannot be loaded: ${error instanceof Error ? error.message : String(error)}` }
  }
  const reason = whyNot({ row, disk, definition, modules })
  return reason === null ? { reason, definition, manifest: disk.manifest } : { reason, definition }
}

function whyNot({ row, disk, definition, modules }: { row: ModuleRow, disk: Discovered, definition: ModuleDefinition, modules: RunningModule[] }): string | null {
  if (row.state !== 'installed') return row.error_message ?? `its ${row.state.slice('to_'.length)} is pending`
  const absent = (disk.manifest?.depends ?? []).filter(name => !modules.some(module => module.name === name))
  if (absent.length > 0) return `needs ${absent.join(', ')}, which ${absent.length > 1 ? 'do' : 'does'} not run`
  if (hasNewMigrations(row, disk)) return `its new migrations are not applied: svc modules upgrade ${row.name}`
  return claimedRoute(definition, modules)
}

function hasNewMigrations(row: ModuleRow, disk: Discovered): boolean {
  const folder = migrationsOf(disk)
  const revisions = folder ? readMigrations(folder).map(({ revision }) => revision) : []
  const applied = row.applied_revision === null ? -1 : revisions.indexOf(row.applied_revision)
  // An unknown revision is one of a newer release: its tables are there.
  return row.applied_revision !== null && applied === -1 ? false : applied < revisions.length - 1
}

/** Parameters differ in name only: `/x/:a` and `/x/:b` are one route. */
const routeOf = ({ method, path }: Endpoint) => `${method.toUpperCase()} ${path.replaceAll(/:[^/]+/g, ':')}`

function claimedRoute(definition: ModuleDefinition, modules: RunningModule[]): string | null {
  const taken = new Map(modules.flatMap(({ name, definition: { endpoints = [] } }) => endpoints.map(endpoint => [routeOf(endpoint), name] as const)))
  for (const endpoint of definition.endpoints ?? []) {
    const route = routeOf(endpoint)
    if (taken.has(route)) return `claims the route ${endpoint.method.toUpperCase()} ${endpoint.path}, which belongs to ${taken.get(route)}`
    taken.set(route, 'itself')
  }
  return null
}

async function noteStart(services: Services, row: ModuleRow, reason: string | null): Promise<void> {
  const isOurs = row.error_message?.startsWith(NOT_STARTED) ?? false
  if (reason === null) {
    if (isOurs) await clearError(services.database.sql, row.name)
    return
  }
  services.log.error('module.not_started', { module: row.name, reason })
  if (row.state === 'installed' && (isOurs || row.error_message === null)) await recordError(services.database.sql, row.name, NOT_STARTED + reason)
}

/** The questions the rest of the core asks, answered from what runs. */
export function toRegistry(modules: RunningModule[], broken: BrokenModule[]): Registry {
  const byName = new Map(modules.map(module => [module.name, module]))
  const permissions: ReadonlySet<string> = new Set([...CORE_PERMISSIONS, ...modules.flatMap(({ name, manifest }) => manifest.permissions.map(permission => `${name}.${permission}`))])
  const ofRole = new Map<string, ReadonlySet<string>>()
  const subscribers = new Map<string, string[]>()
  const listening = [...modules.map(({ name, definition }) => ({ name, subscribes: Object.keys(definition.on ?? {}) })), ...broken]
  for (const { name, subscribes } of listening) {
    for (const event of subscribes) subscribers.set(event, [...subscribers.get(event) ?? [], name])
  }
  // The core's endpoints meet what modules refuse with: an erasure asks all of them.
  const ofAll = Object.assign({}, ...modules.map(({ definition }) => definition.problems), coreProblems) as typeof coreProblems
  const problems = new Map([null, ...byName.keys()].map(name => [name, name === null ? ofAll : { ...coreProblems, ...byName.get(name)!.definition.problems }]))

  return {
    modules,
    broken,
    get: name => byName.get(name),
    subscribers: event => subscribers.get(event) ?? [],
    permissions,
    permissionsOf(role) {
      const known = ofRole.get(role)
      if (known) return known
      const granted = role === 'admin' ? permissions : new Set(modules.flatMap(module => grantsOf(module, role)))
      ofRole.set(role, granted)
      return granted
    },
    problems: name => problems.get(name) ?? coreProblems
  }
}

function grantsOf({ name, manifest }: RunningModule, role: string): string[] {
  const granted = manifest.role_permissions[role as keyof typeof manifest.role_permissions] ?? []
  const relative = granted.includes('*') ? manifest.permissions : granted
  return relative.map(permission => `${name}.${permission}`)
}
