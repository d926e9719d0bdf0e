import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { Endpoint, ModuleDefinition } from '@svc/kit'
import { isNamedAccess } from '../http/named-access.ts'
import { endpointOf, scan } from '../http/scan.ts'
import type { Route } from '../types.ts'
import { checkDecisions } from './decisions/check-decisions.ts'
import type { Discovered } from './discover.ts'
import { withoutExit } from './no-exit.ts'
import { accessOfPath, describeForeignPaths, findForeignPaths, NO_OPEN_PATHS, type OpenPaths } from './own-paths.ts'
import { checkEndpoint, checkShape } from './shape.ts'

/**
 * What the build contains: the official modules by name, each as an import of its `server/index.ts`, and all endpoints
 * of these and of the core.
 */
export interface Bundled {
  modules: Record<string, () => Promise<{ default: ModuleDefinition }>>
  routes: Route[]
}

/** Imports a module's entry and checks its shape. Throws whatever the entry throws. */
export async function loadDefinition(module: Discovered, bundled: Bundled): Promise<ModuleDefinition> {
  if (!module.manifest) throw new Error(module.error ?? 'the manifest is broken')
  const definition = checkShape(await importEntry(module, bundled))
  const undeclared = Object.keys(module.manifest.accesses).filter(name => !definition.accesses?.[name])
  if (undeclared.length > 0)
    throw new Error(`the entry has no function for the access ${undeclared.join(', ')}, which the manifest names`)
  checkDecisions(module.name, { ...definition, guards: module.manifest.guards })
  return inBundle(module, bundled) ? definition : guardExits(module.name, definition)
}

/**
 * The endpoints of a module by file name. For an official module, those of the build; for a package, those in its
 * `server/api/v1/`, which `loadEndpoints` imports.
 */
export function routesOf(module: Discovered, bundled: Bundled, open: OpenPaths = NO_OPEN_PATHS): Route[] {
  if (inBundle(module, bundled)) return bundled.routes.filter(route => route.module === module.name)
  const routes = scan(join(module.folder, 'server/api/v1')).map(({ file, method, path }) => ({
    module: module.name,
    method,
    path,
    load: () => importFile(module.name, file)
  }))
  const foreign = module.manifest?.category === 'community' ? findForeignPaths(module, open) : []
  if (foreign.length > 0) throw new Error(describeForeignPaths(module.name, foreign, open))
  return routes
}

/** Imports and checks the endpoints, so that a package with a broken one doesn't start. */
export async function loadEndpoints(
  module: Discovered,
  routes: Route[],
  { bundled, open = NO_OPEN_PATHS }: { bundled: Bundled, open?: OpenPaths }
): Promise<Route[]> {
  if (inBundle(module, bundled)) return routes
  return await Promise.all(routes.map(async (route) => {
    const endpoint = endpointOf((await route.load()).default)
    checkEndpoint(endpoint, `${route.method} ${route.path}`)
    checkNamedAccess(endpoint, route, open)
    const guardedEndpoint = { ...endpoint, handle: guarded(module.name, endpoint.handle, endpoint) }
    return { ...route, load: async () => ({ default: guardedEndpoint }) }
  }))
}

/** An access of another module belongs to the path that it opens: elsewhere it has no token, and no cookie is sent. */
function checkNamedAccess({ access }: Endpoint, { method, path }: Route, open: OpenPaths): void {
  const needed = accessOfPath(path, open)
  if (needed !== undefined ? access === needed : !isNamedAccess(access)) return
  const offered = [...open].map(([name, opened]) => `'${name}' is for paths below ${opened}`).join(', ')
  throw new Error(
    needed !== undefined
      ? `${method} ${path}: at this path access is '${needed}'`
      : `${method} ${path}: access '${String(access)}' is not offered here${offered && `; ${offered}`}`
  )
}

/** Wraps every function that the host calls in a package, except its commands, which run in a process of their own. */
function guardExits(name: string, definition: ModuleDefinition): ModuleDefinition {
  const { hooks, on, jobs, channels, clauses, doctor, metrics, public_sections, staff_sections } = definition
  const { accesses, before } = definition
  return {
    ...definition,
    hooks: mapped(hooks, hook => guarded(name, hook, hooks)),
    on: mapped(on, subscriber => guarded(name, subscriber, on)),
    clauses: mapped(clauses, ask => guarded(name, ask, clauses)),
    jobs: mapped(jobs, job => ({ ...job, run: guarded(name, job.run, job) })),
    before: mapped(before, guard => guarded(name, guard, before)),
    channels: mapped(channels, channel => ({
      ...channel,
      isReady: guarded(name, channel.isReady, channel),
      addressOf: guarded(name, channel.addressOf, channel),
      send: guarded(name, channel.send, channel),
      hides: channel.hides?.bind(channel)
    })),
    doctor: doctor && guarded(name, doctor, definition),
    metrics: metrics && guarded(name, metrics, definition),
    public_sections: mapped(public_sections, section => guarded(name, section, public_sections)),
    staff_sections: mapped(staff_sections, section => guarded(name, section, staff_sections)),
    accesses: mapped(accesses, access => Object.assign(guarded(name, access, accesses), access))
  }
}

/** `name`: the module, with which late errors are logged. */
function guarded<F extends ((...given: never[]) => unknown) | null | undefined>(
  name: string,
  work: F,
  self: unknown
): F {
  return work && ((...given: never[]) => withoutExit(name, async () => await work.apply(self, given))) as F
}

function mapped<T extends object>(
  members: T | undefined,
  change: <M extends T[keyof T]>(member: M) => M
): T | undefined {
  return (
    members
    && (Object.fromEntries(Object.entries(members).map(([name, member]) => [name, change(member as T[keyof T])])) as T)
  )
}

const inBundle = ({ bundled: isOurs, name }: Discovered, bundled: Bundled) => isOurs ? bundled.modules[name] : undefined

async function importEntry(module: Discovered, bundled: Bundled): Promise<unknown> {
  const load = inBundle(module, bundled)
  if (load) return (await load()).default
  if (!module.manifest?.server) return {}
  return (await importFile(module.name, join(module.folder, module.manifest.server))).default
}

/** Imports by an absolute URL that the bundler ignores, because the package is outside the build. */
async function importFile(module: string, file: string): Promise<{ default?: unknown }> {
  const { href } = pathToFileURL(file)
  return await withTimeout(
    withoutExit(module, () => import(/* @vite-ignore */ href) as Promise<{ default?: unknown }>),
    basename(file)
  )
}

const IMPORT_TIMEOUT_S = 20

/** A package that waits at its top level must not block the start of the service for ever. */
async function withTimeout<T>(imported: Promise<T>, name: string): Promise<T> {
  const done = new AbortController()
  const late = pause(IMPORT_TIMEOUT_S * 1000, null, { signal: done.signal }).then(() => {
    throw new Error(`its ${name} was not loaded within ${IMPORT_TIMEOUT_S} seconds`)
  })
  late.catch(() => {}) // aborted below
  try {
    return await Promise.race([imported, late])
  } finally {
    done.abort()
  }
}
