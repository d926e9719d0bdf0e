import path from 'node:path'
import { fail, say } from '../output.ts'
import { buildUnderLock } from './server.ts'

/** `bin/setup --build`, which holds the lock: builds what is not built. */
try {
  await buildUnderLock(path.resolve(import.meta.dirname, '../..'), line => say.start(line))
} catch (error) {
  fail(error, false)
}
