import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import type { Sql } from 'postgres'
import type { Config } from '../config.ts'
import { discover, type Discovered } from './discover.ts'
import { inDependencyOrder } from './plan.ts'
import { readModules } from './store.ts'

/** A layer that the build extends from. `path` is relative to the product's folder when it lies in it. */
export interface LayerEntry { name: string, path: string }

type Place = Pick<Config, 'root' | 'storage'>
const fileOf = ({ root }: Place) => join(root, 'modules.json')

/**
 * Every official layer of the release and each installed or scheduled community layer, dependencies first.
 * Without a database, where an image is built: each community layer on disk. What vanished from disk is not in it.
 */
export async function wantedLayers(sql: Sql | null, config: Place): Promise<LayerEntry[]> {
  const states = new Map(sql ? (await readModules(sql)).map(row => [row.name, row.state]) : [])
  const isWanted = ({ name, bundled }: Discovered) =>
    bundled || !sql || ['installed', 'to_install', 'to_upgrade'].includes(states.get(name) ?? 'uninstalled')
  const modules = (await discover(config)).map(module => ({ ...module, depends: module.manifest?.depends ?? [] }))
  return inDependencyOrder(modules)
    .filter(module => module.manifest?.layer && isWanted(module))
    .map(module => ({ name: module.name, path: pathOf(config.root, resolve(module.folder, module.manifest!.layer!)) }))
}

function pathOf(root: string, folder: string): string {
  const path = relative(root, folder)
  return path.startsWith('..') ? folder : path.split(sep).join('/')
}

/** What the last build saw, or the next will see; empty for a file that is missing or broken. */
export function listedLayers(config: Place): LayerEntry[] {
  try {
    const { modules } = JSON.parse(readFileSync(fileOf(config), 'utf8')) as { modules?: LayerEntry[] }
    return Array.isArray(modules) ? modules : []
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** Rewrites `modules.json` as a whole; a file that says the same already is left alone. */
export async function syncFrontend(
  sql: Sql | null,
  config: Place
): Promise<{ modules: LayerEntry[], changed: boolean }> {
  const modules = await wantedLayers(sql, config)
  if (JSON.stringify(modules) === JSON.stringify(listedLayers(config))) return { modules, changed: false }
  const lines = modules.map(
    ({ name, path }) => `    { "name": ${JSON.stringify(name)}, "path": ${JSON.stringify(path)} }`
  )
  const partial = `${fileOf(config)}.${process.pid}`
  writeFileSync(partial, `{\n  "modules": [\n${lines.join(',\n')}\n  ]\n}\n`)
  renameSync(partial, fileOf(config))
  return { modules, changed: true }
}
