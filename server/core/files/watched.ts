import type { Ctx } from '@svc/kit'
import type { Trouble } from '../types.ts'

/** Notes when the store fails or hangs, so that `/health` reports it with the first document that cannot be stored. */
export function watchFiles(files: Ctx['files'], trouble: Trouble): Ctx['files'] {
  return {
    async writeOnce(key, bytes) {
      try {
        await trouble.watch(files.writeOnce(key, bytes))
        trouble.clear()
      } catch (error) {
        if (codeOf(error) !== 'EEXIST') trouble.note() // the key is taken: the store works
        throw error
      }
    },
    async read(key) {
      try {
        return await trouble.watch(files.read(key))
      } catch (error) {
        if (codeOf(error) !== 'ENOENT') trouble.note()
        throw error
      }
    },
    list: folder => files.list(folder)
  }
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code
