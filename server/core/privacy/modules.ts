import { problem } from '@svc/kit'
import { readModules, type ModuleRow, type Query } from '../modules/store.ts'
import type { Registry } from '../host.ts'

/** Has data, and runs, so that it can be asked for it. */
const isPresent = ({ state }: ModuleRow) => state !== 'uninstalled' && state !== 'to_install'
/** Was taken out, and its tables were left. */
const isLeft = ({ state, applied_revision }: ModuleRow) => state === 'uninstalled' && applied_revision !== null

export interface Left { module: string, why: 'kept_data' | 'no_hook' }

/** Installed modules that do not run, by name: they can be asked nothing. */
export const findSilent = async (sql: Query, registry: Registry): Promise<string[]> =>
  (await readModules(sql)).filter(isPresent).map(({ name }) => name).filter(name => !registry.get(name))

/** Throws `module_not_running`: what an installed module holds is neither seen nor erased while it does not run. */
export async function mustAllRun(sql: Query, registry: Registry): Promise<void> {
  const silent = await findSilent(sql, registry)
  if (silent.length === 0) return
  const [modules, their] = silent.length === 1 ? ['An installed module does', 'Its'] : ['Installed modules do', 'Their']
  throw problem('module_not_running', {
    detail: `${modules} not run: ${silent.join(', ')}. ${their} data about the person would stay. Fix that first: svc modules info ${silent[0]}`,
    modules: silent
  })
}

/** Where no module can be asked: tables without their module, and modules with tables that have no hook `erase`. */
export async function findLeft(sql: Query, registry: Registry): Promise<Left[]> {
  const left = (await readModules(sql)).filter(isLeft).map(({ name }): Left => ({ module: name, why: 'kept_data' }))
  const silent = registry.modules.filter(({ manifest, definition }) => manifest.migrations && !definition.hooks?.erase)
  return [...left, ...silent.map(({ name }): Left => ({ module: name, why: 'no_hook' }))]
}
