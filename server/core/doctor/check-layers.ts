import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Finding } from '@svc/kit'
import type { Sql } from 'postgres'
import type { Config } from '../config.ts'
import { readModules } from '../modules/store.ts'
import { builtLayers, listedLayers, selectLayers, type LayerEntry } from '../modules/sync-frontend.ts'

type Place = Pick<Config, 'root' | 'storage'>
const BUILD = 'svc modules sync-frontend, npm run build, restart'

/** Finds differences between the layers of the build and the installed modules. */
export async function checkLayers(sql: Sql, config: Place): Promise<Finding[]> {
  const { layers, refused } = await selectLayers(sql, config)
  const listed = listedLayers(config)
  const missing = layers.filter(({ name, path }) =>
    !listed.some(entry => entry.name === name && entry.path === path))
  const vanished = listed.filter(({ path }) => !existsSync(path.startsWith('/') ? path : join(config.root, path)))
  return [
    ...missing.map(({ name, path }) => ({
      code: 'layer_missing',
      object: name,
      message: `Its layer ${path} is not in modules.json: its pages are not built.`,
      fix: BUILD
    })),
    ...vanished.map(({ name, path }) => ({
      code: 'layer_vanished',
      object: name,
      message: `modules.json names ${path}, which does not exist.`,
      fix: BUILD
    })),
    ...(await findStillBuilt(sql, config, listed)).filter(({ object }) =>
      !vanished.some(({ name }) => name === object)),
    ...refused.map(({ name, path, reason }) => ({
      code: 'layer_server',
      object: name,
      message: `Its layer ${path} is left out of the build: ${reason}.`,
      fix: `Use a version of ${name} without it: endpoints belong into the package's own server/api/v1/.`
    }))
  ]
}

/** Pages of uninstalled modules. A module that the next restart removes still needs its pages. */
async function findStillBuilt(sql: Sql, config: Place, listed: LayerEntry[]): Promise<Finding[]> {
  const gone = new Set((await readModules(sql)).filter(({ state }) => state === 'uninstalled').map(({ name }) => name))
  const names = new Set([...listed, ...builtLayers(config)].map(({ name }) => name).filter(name => gone.has(name)))
  return [...names].map(name => ({
    code: 'layer_still_built',
    object: name,
    message: 'It is uninstalled, but its pages are still in the build.',
    fix: BUILD
  }))
}
