import path from 'node:path'
import { fail, say } from '../output.ts'
import { ensureBuilt } from './server.ts'

/** `bin/setup --build`: builds what is not built. */
try {
  await ensureBuilt(path.resolve(import.meta.dirname, '../..'), line => say.start(line))
} catch (error) {
  fail(error, false)
}
