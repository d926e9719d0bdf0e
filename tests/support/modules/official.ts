import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { scan, type EndpointFile } from '../../../server/core/http/scan.ts'
import type { Route } from '../../../server/core/types.ts'
import type { Bundled } from '../../../server/core/modules/load.ts'

export const root = resolve(import.meta.dirname, '../../..')

const importOf = (file: string) => import(/* @vite-ignore */ pathToFileURL(file).href)
const toRoutes = (module: string | null, files: EndpointFile[]): Route[] =>
  files.map(({ file, method, path }) => ({ module, method, path, load: () => importOf(file) }))

const layers = readdirSync(join(root, 'layers')).filter(name =>
  existsSync(join(root, 'layers', name, 'server/index.ts'))
)

/**
 * The endpoints of the core. `server/routes` also has probes, which the build doesn't count either: no method in their
 * names.
 */
export const coreRoutes: Route[] = [
  ...toRoutes(null, scan(join(root, 'server/api'), '/api')),
  ...['me', 'metrics'].map(name => ({
    module: null,
    method: 'get' as const,
    path: `/${name}`,
    load: () => importOf(join(root, `server/routes/${name}.get.ts`))
  }))
]

/** What the build puts into the bundle as `#official-modules` and `#svc/routes`. */
export const official: Bundled = {
  modules: Object.fromEntries(
    layers.map(name => [name, () => importOf(join(root, 'layers', name, 'server/index.ts'))])
  ),
  routes: [...coreRoutes, ...layers.flatMap(name => toRoutes(name, scan(join(root, 'layers', name, 'server/api/v1'))))]
}

/** A build without modules. */
export const coreOnly: Bundled = { modules: {}, routes: coreRoutes }
