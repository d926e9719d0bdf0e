import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { ModuleDefinition } from '@svc/kit'
import type { Discovered } from './discover.ts'
import { withoutExit } from './no-exit.ts'
import { checkShape } from './shape.ts'

/** The official modules of the build: name → import of `server/index.ts`. */
export type Bundled = Record<string, () => Promise<{ default: ModuleDefinition }>>

/** Imports a module's entry and checks its shape. Whatever the entry throws goes to the caller. */
export async function loadDefinition(module: Discovered, bundled: Bundled): Promise<ModuleDefinition> {
  if (!module.manifest) throw new Error(module.error ?? 'the manifest is broken')
  const entry = await importEntry(module, bundled)
  const definition = checkShape(entry)
  if (module.manifest.category === 'community') refuseForeignPaths(module.name, definition)
  return inBundle(module, bundled) ? definition : guardExits(definition)
}

/** Whatever the host calls of a package, save its commands, which are a process of their own. */
function guardExits(definition: ModuleDefinition): ModuleDefinition {
  const { endpoints, hooks, on, jobs, doctor, metrics } = definition
  return {
    ...definition,
    endpoints: endpoints?.map(endpoint => ({ ...endpoint, handle: guarded(endpoint.handle, endpoint) })),
    hooks: mapped(hooks, hook => guarded(hook, hooks)),
    on: mapped(on, subscriber => guarded(subscriber, on)),
    jobs: mapped(jobs, job => ({ ...job, run: guarded(job.run, job) })),
    doctor: doctor && guarded(doctor, definition),
    metrics: metrics && guarded(metrics, definition)
  }
}

function guarded<F extends ((...given: never[]) => unknown) | null | undefined>(work: F, self: unknown): F {
  return work && ((...given: never[]) => withoutExit(async () => await work.apply(self, given))) as F
}

function mapped<T extends object>(members: T | undefined, change: <M extends T[keyof T]>(member: M) => M): T | undefined {
  return members && Object.fromEntries(Object.entries(members).map(([name, member]) => [name, change(member as T[keyof T])])) as T
}

const inBundle = ({ bundled: isOurs, name }: Discovered, bundled: Bundled) => isOurs ? bundled[name] : undefined

async function importEntry(module: Discovered, bundled: Bundled): Promise<unknown> {
  const load = inBundle(module, bundled)
  if (load) return (await load()).default
  if (!module.manifest?.server) return {}
  // An absolute address, left alone by the bundler: the package lives outside the build.
  const { href } = pathToFileURL(join(module.folder, module.manifest.server))
  const imported = await withinLimit(withoutExit(() => import(/* @vite-ignore */ href) as Promise<{ default?: unknown }>))
  return imported.default
}

const LONGEST_IMPORT_S = 20

/** A package that waits for something at its top level must not hold the start of the service for ever. */
async function withinLimit<T>(imported: Promise<T>): Promise<T> {
  const done = new AbortController()
  const late = pause(LONGEST_IMPORT_S * 1000, null, { signal: done.signal }).then(() => {
    throw new Error(`its entry was not loaded within ${LONGEST_IMPORT_S} seconds`)
  })
  late.catch(() => {}) // aborted below
  try {
    return await Promise.race([imported, late])
  } finally {
    done.abort()
  }
}

function refuseForeignPaths(name: string, definition: ModuleDefinition): void {
  for (const { path } of definition.endpoints ?? []) {
    if (![`/${name}`, `/public/${name}`].some(own => path === own || path.startsWith(`${own}/`))) {
      throw new Error(`the path ${path} does not start with /${name}/ or /public/${name}/`)
    }
  }
}
