import path from 'node:path'
import { consola, fail } from '../output.ts'
import { buildUnderLock } from './server.ts'

/** Run by `bin/setup --build`, which holds the lock, to build what isn't built. */
try {
  await buildUnderLock(path.resolve(import.meta.dirname, '../..'), line => consola.start(line))
} catch (error) {
  fail(error, false)
}
