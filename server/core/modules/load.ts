import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ModuleDefinition } from '@svc/kit'
import type { Discovered } from './discover.ts'

/** The official modules of the build: name → import of `server/index.ts`. */
export type Bundled = Record<string, () => Promise<{ default: ModuleDefinition }>>

/** Imports a module's entry and checks its shape. Whatever the entry throws goes to the caller. */
export async function loadDefinition(module: Discovered, bundled: Bundled): Promise<ModuleDefinition> {
  if (!module.manifest) throw new Error(module.error ?? 'the manifest is broken')
  const entry = await importEntry(module, bundled)
  const definition = checkShape(entry)
  if (module.manifest.category === 'community') refuseForeignPaths(module.name, definition)
  return definition
}

async function importEntry(module: Discovered, bundled: Bundled): Promise<unknown> {
  const inBundle = module.bundled ? bundled[module.name] : undefined
  if (inBundle) return (await inBundle()).default
  if (!module.manifest?.server) return {}
  // An absolute address, left alone by the bundler: the package lives outside the build.
  const imported = await import(/* @vite-ignore */ pathToFileURL(join(module.folder, module.manifest.server)).href) as { default?: unknown }
  return imported.default
}

const isObject = (value: unknown): value is Record<string, unknown> => value !== null && typeof value === 'object'
const isFunction = (value: unknown) => typeof value === 'function'

/** By shape, never by class: a package may carry its own copy of the kit, or none. */
function checkShape(entry: unknown): ModuleDefinition {
  if (!isObject(entry)) throw new Error('the entry has no default export that is a module')
  const { endpoints = [], on = {}, jobs = {}, hooks = {} } = entry
  if (!Array.isArray(endpoints)) throw new Error('endpoints is not a list')
  for (const endpoint of endpoints as unknown[]) {
    if (isObject(endpoint) && isMethod(endpoint.method) && isPath(endpoint.path) && endpoint.access && isFunction(endpoint.handle)) continue
    throw new Error(`an endpoint lacks method, path, access or handle: ${isObject(endpoint) ? `${String(endpoint.method)} ${String(endpoint.path)}` : String(endpoint)}`)
  }
  if (!isObject(on) || !Object.values(on).every(isFunction)) throw new Error('on is not a table of functions')
  if (!isObject(hooks) || !Object.values(hooks).every(isFunction)) throw new Error('hooks is not a table of functions')
  if (!isObject(jobs) || !Object.values(jobs).every(job => isObject(job) && isFunction(job.run))) throw new Error('jobs is not a table of {run}')
  return entry as ModuleDefinition
}

const isMethod = (value: unknown) => ['get', 'post', 'patch', 'put', 'delete'].includes(String(value))
const isPath = (value: unknown) => typeof value === 'string' && value.startsWith('/')

function refuseForeignPaths(name: string, definition: ModuleDefinition): void {
  for (const { path } of definition.endpoints ?? []) {
    if (![`/${name}`, `/public/${name}`].some(own => path === own || path.startsWith(`${own}/`))) {
      throw new Error(`the path ${path} does not start with /${name}/ or /public/${name}/`)
    }
  }
}
