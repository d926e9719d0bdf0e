import { join } from 'node:path'
import { endpointPath, scan } from '../http/scan.ts'
import type { Manifest } from '../manifest.ts'
import type { Discovered } from './discover.ts'

/**
 * Accesses that a module's dependencies offer, and the paths that these open: full name (`<module>.<access>`) → path
 * from the root of the site, parameters as `:name`.
 */
export type OpenPaths = ReadonlyMap<string, string>
export const NO_OPEN_PATHS: OpenPaths = new Map()

/** `manifests`: those of the module's dependencies. */
export function openPathsOf(manifests: Pick<Manifest, 'name' | 'accesses'>[]): OpenPaths {
  return new Map(manifests.flatMap(({ name, accesses }) =>
    // A manifest that an earlier release stored has no such member.
    Object.entries(accesses ?? {}).map(([access, path]) => [`${name}.${access}`, endpointPath(path)] as const)))
}

/** A package's endpoints must be below one of these paths. */
const ownPlaces = (name: string, open: OpenPaths) =>
  [`/api/v1/${name}/`, `/api/v1/public/${name}/`, ...[...open.values()].map(path => `${path}/${name}/`)]

/** The access that every endpoint at this path must have; undefined for the module's own paths. */
export const accessOfPath = (path: string, open: OpenPaths): string | undefined =>
  [...open].find(([, opened]) => path.startsWith(`${opened}/`))?.[0]

/** Endpoints of a package below another module's name, or the core's. Found by file names alone. */
export function findForeignPaths(
  { name, folder, bundled }: Pick<Discovered, 'name' | 'folder' | 'bundled'>,
  open: OpenPaths
): string[] {
  if (bundled) return []
  return [...new Set(pathsBelow(join(folder, 'server/api/v1')))]
    .filter(path => !ownPlaces(name, open).some(own => `${path}/`.startsWith(own)))
}

function pathsBelow(folder: string): string[] {
  try {
    return scan(folder).map(({ path }) => path)
  } catch {
    return [] // a file without a method: the module's start reports it
  }
}

export const describeForeignPaths = (name: string, paths: string[], open: OpenPaths) =>
  `the path ${paths.join(', ')} does not start with ${ownPlaces(name, open).join(' or ')}`
