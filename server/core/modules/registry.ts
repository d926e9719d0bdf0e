import type { ModuleDefinition } from '@svc/kit'
import { createCtx, inContext } from './context.ts'
import { readMigrations } from '../db/migrate.ts'
import { coreProblems } from '../http/problems.ts'
import { nameOf } from '../http/scan.ts'
import type { Route } from '../types.ts'
import type { BrokenModule, Registry, RunningModule, Host } from '../host.ts'
import type { Discovered } from './discover.ts'
import { loadDefinition, loadEndpoints, routesOf, type Bundled } from './load.ts'
import { openPathsOf } from './own-paths.ts'
import { unknownGuard } from './decisions/check-decisions.ts'
import { inDependencyOrder } from './plan.ts'
import { migrationsOf } from './steps.ts'
import { clearError, readModules, recordError, type ModuleRow } from './store.ts'

/**
 * Permissions of the core itself, which the clinic's administrator has. `modules.manage` belongs to the instance, and
 * no role has it.
 */
const CORE_PERMISSIONS = ['users.manage', 'clinic.manage', 'webhooks.manage', 'privacy.manage']
/** Marks an error of the start, which is cleared when the module runs again. An error of a step is kept. */
const NOT_STARTED = 'could not be started: '

interface StartOptions {
  host: Host
  discovered: Discovered[]
  bundled: Bundled
  /**
   * True in a process that answers requests: it also imports endpoints, and writes the reasons of modules that don't
   * start into their rows. Default true.
   */
  serves?: boolean
}

/**
 * Starts the installed modules whose dependencies run, dependencies first. A module that cannot be started, or whose
 * install failed, is in `broken` with its reason. Never throws because of a module.
 */
export async function createRegistry({ host, discovered, bundled, serves = true }: StartOptions): Promise<Registry> {
  const rows = await readModules(host.database.sql)
  const candidates = rows
    .filter(row => wasInstalled(row) || (row.state === 'to_install' && row.error_message !== null))
    .flatMap((row) => {
      const disk = discovered.find(module => module.name === row.name)
      return disk ? [{ name: row.name, depends: disk.manifest?.depends ?? row.manifest?.depends ?? [], row, disk }] : []
    })
  const modules: RunningModule[] = []
  const broken: BrokenModule[] = []
  // Official modules come first where the order is free, so that a package cannot take over a route of the release.
  const ordered = inDependencyOrder(candidates)
  for (const { row, disk } of [
    ...ordered.filter(({ disk }) => disk.bundled),
    ...ordered.filter(({ disk }) => !disk.bundled)
  ]) {
    const started = await startModule({ row, disk, bundled, modules, serves })
    if (started.reason === null) {
      const { manifest, definition, routes } = started
      modules.push({
        name: row.name,
        version: row.version ?? disk.version,
        manifest,
        definition,
        routes,
        ctx: createCtx(host, inContext({ name: row.name, manifest }))
      })
    } else {
      const { reason, definition, routes } = started
      // Events are kept only for a module that was installed and may run again.
      broken.push({
        name: row.name,
        reason,
        routes,
        subscribes: wasInstalled(row) ? Object.keys(definition?.on ?? {}) : [],
        // The manifest as installed counts too: the package on disk may be another version, or broken.
        guards: wasInstalled(row) ? [...disk.manifest?.guards ?? [], ...row.manifest?.guards ?? []] : [],
        clauses: wasInstalled(row) ? Object.keys(definition?.clauses ?? {}) : []
      })
    }
    if (serves) await noteStart(host, row, started.reason)
  }
  return toRegistry(modules, broken)
}

const wasInstalled = ({ state }: ModuleRow) => state !== 'uninstalled' && state !== 'to_install'

type Started
  = | { reason: null, definition: ModuleDefinition, manifest: NonNullable<Discovered['manifest']>, routes: Route[] }
    | { reason: string, definition?: ModuleDefinition, routes: Route[] }

interface Candidate { row: ModuleRow, disk: Discovered, bundled: Bundled, modules: RunningModule[], serves: boolean }

async function startModule({ row, disk, bundled, modules, serves }: Candidate): Promise<Started> {
  if (!disk.manifest) return { reason: `the manifest is broken: ${disk.error}`, routes: [] }
  const { depends } = disk.manifest
  const open = openPathsOf(modules.filter(({ name }) => depends.includes(name)).map(({ manifest }) => manifest))
  let routes: Route[] = []
  let definition: ModuleDefinition | undefined
  try {
    if (serves) routes = routesOf(disk, bundled, open)
    definition = await loadDefinition(disk, bundled)
    if (serves) routes = await loadEndpoints(disk, routes, { bundled, open })
  } catch (error) {
    return {
      reason: `its code cannot be loaded: ${error instanceof Error ? error.message : String(error)}`,
      definition,
      routes
    }
  }
  const reason
    = whyNot({ row, disk, modules })
      ?? unknownGuard(definition, modules)
      ?? claimedRoute(routes, [
        ...bundled.routes.filter(({ module }) => module === null),
        ...modules.flatMap(module => module.routes)
      ])
      ?? claimedChannel(definition, modules)
  return reason === null ? { reason, definition, manifest: disk.manifest, routes } : { reason, definition, routes }
}

function whyNot({ row, disk, modules }: Pick<Candidate, 'row' | 'disk' | 'modules'>): string | null {
  if (row.state !== 'installed') return row.error_message ?? `its ${row.state.slice('to_'.length)} is pending`
  const absent = (disk.manifest?.depends ?? []).filter(name => !modules.some(module => module.name === name))
  if (absent.length > 0) return `needs ${absent.join(', ')}, which ${absent.length > 1 ? 'do' : 'does'} not run`
  if (hasNewMigrations(row, disk)) return `its new migrations are not applied: svc modules upgrade ${row.name}`
  return null
}

function hasNewMigrations(row: ModuleRow, disk: Discovered): boolean {
  const folder = migrationsOf(disk)
  const revisions = folder ? readMigrations(folder).map(({ revision }) => revision) : []
  const applied = row.applied_revision === null ? -1 : revisions.indexOf(row.applied_revision)
  // An unknown revision comes from a newer release, whose tables exist.
  return row.applied_revision !== null && applied === -1 ? false : applied < revisions.length - 1
}

function claimedRoute(routes: Route[], others: Route[]): string | null {
  const taken = new Map(others.map(route => [nameOf(route), route.module ?? 'the core']))
  for (const route of routes) {
    const owner = taken.get(nameOf(route))
    if (owner) return `claims the route ${route.method.toUpperCase()} ${route.path}, which belongs to ${owner}`
    taken.set(nameOf(route), 'itself')
  }
  return null
}

/** A channel is named without its module, so that each name has one owner. */
function claimedChannel({ channels = {} }: ModuleDefinition, modules: RunningModule[]): string | null {
  for (const name of Object.keys(channels)) {
    const owner = modules.find(({ definition }) => Object.hasOwn(definition.channels ?? {}, name))
    if (owner) return `registers the channel ${name}, which belongs to ${owner.name}`
  }
  return null
}

async function noteStart(host: Host, row: ModuleRow, reason: string | null): Promise<void> {
  const isOurs = row.error_message?.startsWith(NOT_STARTED) ?? false
  if (reason === null) {
    if (isOurs) await clearError(host.database.sql, row.name)
    return
  }
  host.log.error('module.not_started', { module: row.name, reason })
  if (row.state === 'installed' && (isOurs || row.error_message === null))
    await recordError(host.database.sql, row.name, NOT_STARTED + reason)
}

/** Answers the core's queries from the running modules. */
export function toRegistry(modules: RunningModule[], broken: BrokenModule[]): Registry {
  const byName = new Map(modules.map(module => [module.name, module]))
  const permissions: ReadonlySet<string> = new Set([
    ...CORE_PERMISSIONS,
    ...modules.flatMap(({ name, manifest }) => manifest.permissions.map(permission => `${name}.${permission}`))
  ])
  const ofRole = new Map<string, ReadonlySet<string>>()
  const subscribers = new Map<string, string[]>()
  const listening = [
    ...modules.map(({ name, definition }) => ({ name, subscribes: Object.keys(definition.on ?? {}) })),
    ...broken
  ]
  for (const { name, subscribes } of listening) {
    for (const event of subscribes) subscribers.set(event, [...subscribers.get(event) ?? [], name])
  }
  // The core's endpoints can answer with problems of any module: for instance, an erasure calls all of them.
  const ofAll = Object.assign(
    {},
    ...modules.map(({ definition }) => definition.problems),
    coreProblems
  ) as typeof coreProblems
  const problems = new Map(
    [null, ...byName.keys()].map(name => [
      name,
      name === null ? ofAll : { ...coreProblems, ...byName.get(name)!.definition.problems }
    ])
  )

  return {
    modules,
    broken,
    get: name => byName.get(name),
    subscribers: event => subscribers.get(event) ?? [],
    guards: step => [
      ...broken.filter(({ guards }) => guards.includes(step)).map(({ name }) => ({ module: name, running: null })),
      ...modules.filter(({ definition }) => definition.before?.[step])
        .map(module => ({ module: module.name, running: module }))
    ],
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
