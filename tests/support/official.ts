import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Bundled } from '../../server/core/modules/load.ts'

export const root = resolve(import.meta.dirname, '../..')

/** What the build puts into the bundle as `#official-modules`. */
export const official: Bundled = Object.fromEntries(readdirSync(join(root, 'layers'))
  .filter(name => existsSync(join(root, 'layers', name, 'server/index.ts')))
  .map(name => [name, () => import(/* @vite-ignore */ pathToFileURL(join(root, 'layers', name, 'server/index.ts')).href)]))
