import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Resolved from this file, then from the working directory, since a bundle isn't next to its packages. */
export function findFontFile(path: string): string | null {
  for (const from of [import.meta.url, pathToFileURL(join(process.cwd(), 'package.json')).href]) {
    try {
      const file = createRequire(from).resolve(path)
      if (existsSync(file)) return file
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error
    }
  }
  return null
}
