import { join } from 'node:path'
import { scan } from '../http/scan.ts'
import type { Discovered } from './discover.ts'

/** A package's endpoints must be below one of these paths. */
const ownPlaces = (name: string) => [`/api/v1/${name}/`, `/api/v1/public/${name}/`]

/** Endpoints of a package below another module's name, or the core's. Found by file names alone. */
export function findForeignPaths({ name, folder, bundled }: Pick<Discovered, 'name' | 'folder' | 'bundled'>): string[] {
  if (bundled) return []
  return [...new Set(pathsBelow(join(folder, 'server/api/v1')))]
    .filter(path => !ownPlaces(name).some(own => `${path}/`.startsWith(own)))
}

function pathsBelow(folder: string): string[] {
  try {
    return scan(folder).map(({ path }) => path)
  } catch {
    return [] // a file without a method: the module's start reports it
  }
}

export const describeForeignPaths = (name: string, paths: string[]) =>
  `the path ${paths.join(', ')} does not start with ${ownPlaces(name).join(' or ')}`
