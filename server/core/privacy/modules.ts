import { problem } from '@svc/kit'
import { readModules, type ModuleRow, type Query } from '../modules/store.ts'
import type { Registry } from '../host.ts'

/** Has data that only a running module can return. */
const isPresent = ({ state }: ModuleRow) => state !== 'uninstalled' && state !== 'to_install'
/** Was uninstalled, with its tables kept. */
const isLeft = ({ state, applied_revision }: ModuleRow) => state === 'uninstalled' && applied_revision !== null

export interface Leftover { module: string, why: 'kept_data' | 'no_hook' }

/** The names of installed modules that do not run. */
export const findStoppedModules = async (sql: Query, registry: Registry): Promise<string[]> =>
  (await readModules(sql)).filter(isPresent).map(({ name }) => name).filter(name => !registry.get(name))

/**
 * Throws `module_not_running`: the data of an installed module can be neither read nor erased while it does not run.
 */
export async function assertAllRun(sql: Query, registry: Registry): Promise<void> {
  const silent = await findStoppedModules(sql, registry)
  if (silent.length === 0) return
  const [modules, their] = silent.length === 1 ? ['An installed module does', 'Its'] : ['Installed modules do', 'Their']
  throw problem('module_not_running', {
    detail: `${modules} not run: ${silent.join(', ')}. ${their} data about the person would stay. Fix that first: svc modules info ${silent[0]}`,
    modules: silent
  })
}

/** Data that no module can erase: tables without their module, and modules that have tables but no `erase` hook. */
export async function findLeftovers(sql: Query, registry: Registry): Promise<Leftover[]> {
  const left = (await readModules(sql)).filter(isLeft).map(({ name }): Leftover => ({ module: name, why: 'kept_data' }))
  const silent = registry.modules.filter(({ manifest, definition }) => manifest.migrations && !definition.hooks?.erase)
  return [...left, ...silent.map(({ name }): Leftover => ({ module: name, why: 'no_hook' }))]
}
