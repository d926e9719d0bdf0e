import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Ctx } from '@svc/kit'
import { mustBeKey, taken } from './key.ts'
import { placeNew } from './place-new.ts'
import { makePrivate } from './private-folders.ts'

/** Documents below a folder of this machine, or of a volume. */
export function createFolder(root: string): Ctx['files'] {
  return {
    async writeOnce(key, bytes) {
      const file = pathOf(root, key)
      await makePrivate(path.dirname(root), path.dirname(file))
      if (await placeNew(file, bytes)) return
      const stored = await readFile(file)
      if (!stored.equals(bytes)) throw taken(key)
    },
    read: key => readFile(pathOf(root, key))
  }
}

function pathOf(root: string, key: string): string {
  mustBeKey(key)
  return path.join(root, key)
}
