import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

let parts: readonly [before: string, after: string] | undefined

/** The built page before and after the place of its copies. Read once per process. */
export function readPage(): readonly [before: string, after: string] {
  if (parts) return parts
  const [before, after, ...more] = readFileSync(pageFile(), 'utf8').split('{{copies}}')
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error('check.html has no place for copies: npm run evidence-page')
  return parts = [before, after]
}

/** Resolved from this file, then from the working directory, since a bundle isn't next to its packages. */
function pageFile(): string {
  for (const from of [import.meta.url, pathToFileURL(join(process.cwd(), 'package.json')).href]) {
    try {
      return createRequire(from).resolve('@svc/evidence-page/check.html')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error
    }
  }
  throw new Error('The page check.html of the package @svc/evidence-page was not found')
}
