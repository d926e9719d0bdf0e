import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import type { Sql } from 'postgres'
import type { Config } from '../config.ts'
import { discover, type Discovered } from './discover.ts'
import { inDependencyOrder } from './plan.ts'
import type { ModuleState } from './states.ts'
import { readModules } from './store.ts'

/** A layer that the build includes. `path` is relative to the product's folder if it is inside. */
export interface LayerEntry { name: string, path: string }
/** A layer that the build must not include, and the reason. */
export interface RefusedLayer extends LayerEntry { reason: string }

type Place = Pick<Config, 'root' | 'storage'>
const fileOf = ({ root }: Place) => join(root, 'modules.json')

export interface SelectedLayers { layers: LayerEntry[], refused: RefusedLayer[] }

/**
 * Every official layer of the release and each installed or scheduled community layer, dependencies first. Without a
 * database, when an image is built: each community layer on disk. Leaves out layers that are missing from the disk, and
 * layers that would add code to the server, because that code would bypass all guards of a module's endpoints.
 */
export async function selectLayers(sql: Sql | null, config: Place): Promise<SelectedLayers> {
  const states = new Map(sql ? (await readModules(sql)).map(row => [row.name, row.state]) : [])
  const isWanted = ({ name, bundled }: Discovered) => bundled || !sql || isComing(states.get(name))
  const modules = (await discover(config)).map(module => ({ ...module, depends: module.manifest?.depends ?? [] }))
  const wanted = inDependencyOrder(modules)
    .filter(module => module.manifest?.layer && isWanted(module))
    .map(module => ({ ...module, layer: resolve(module.folder, module.manifest!.layer!) }))
  const isRefused = ({ bundled, layer }: { bundled: boolean, layer: string }) =>
    !bundled && existsSync(join(layer, 'server'))
  const toEntry = ({ name, layer }: { name: string, layer: string }) => ({ name, path: pathOf(config.root, layer) })
  return {
    layers: wanted.filter(module => !isRefused(module)).map(toEntry),
    refused: wanted.filter(isRefused).map(module => ({
      ...toEntry(module),
      reason: 'it has a folder "server", whose code would run in the service itself'
    }))
  }
}

const isComing = (state: ModuleState | undefined) =>
  state === 'installed' || state === 'to_install' || state === 'to_upgrade'

function pathOf(root: string, folder: string): string {
  const path = relative(root, folder)
  return path.startsWith('..') ? folder : path.split(sep).join('/')
}

/** The layers that the next build will use; empty if the file is missing or broken. */
export const listedLayers = (config: Place): LayerEntry[] => readLayers(fileOf(config))

/** The layers from which the running build was made (`build/addresses.ts`); empty if the build doesn't list them. */
export const builtLayers = ({ root }: Place): LayerEntry[] => readLayers(join(root, '.output/server/modules.json'))

function readLayers(file: string): LayerEntry[] {
  try {
    const { modules } = JSON.parse(readFileSync(file, 'utf8')) as { modules?: LayerEntry[] }
    return Array.isArray(modules) ? modules : []
  } catch (error) {
    if (error instanceof SyntaxError || ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? ''))
      return []
    throw error
  }
}

export interface SyncedLayers { modules: LayerEntry[], refused: RefusedLayer[], changed: boolean }

/** Rewrites the whole `modules.json`, unless its content would stay the same. */
export async function syncFrontend(sql: Sql | null, config: Place): Promise<SyncedLayers> {
  const { layers: modules, refused } = await selectLayers(sql, config)
  if (JSON.stringify(modules) === JSON.stringify(listedLayers(config))) return { modules, refused, changed: false }
  const lines = modules.map(
    ({ name, path }) => `    { "name": ${JSON.stringify(name)}, "path": ${JSON.stringify(path)} }`
  )
  const partial = `${fileOf(config)}.${process.pid}`
  writeFileSync(partial, `{\n  "modules": [\n${lines.join(',\n')}\n  ]\n}\n`)
  renameSync(partial, fileOf(config))
  return { modules, refused, changed: true }
}
