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
  return { ...definition, hooks: withoutExits(definition.hooks) }
}

function withoutExits(hooks: ModuleDefinition['hooks'] = {}): ModuleDefinition['hooks'] {
  type Hook = (...given: unknown[]) => Promise<unknown>
  const named = Object.entries(hooks as Record<string, Hook | null | undefined>)
  return Object.fromEntries(named.map(([name, hook]) => [name, hook && ((...given: unknown[]) => withoutExit(async () => await hook.apply(hooks, given)))]))
}

async function importEntry(module: Discovered, bundled: Bundled): Promise<unknown> {
  const inBundle = module.bundled ? bundled[module.name] : undefined
  if (inBundle) return (await inBundle()).default
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
