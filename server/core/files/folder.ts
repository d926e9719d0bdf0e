import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Ctx } from '@svc/kit'
import { ifMissing } from './if-missing.ts'
import { assertKey, taken } from './key.ts'
import { placeNew } from './place-new.ts'
import { makePrivate } from './private-folders.ts'

const BATCH = 5000

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
    read: key => readFile(pathOf(root, key)),
    async* list(folder) {
      const names = await readdir(folder === '' ? root : pathOf(root, folder)).catch(ifMissing<string[]>([]))
      for (let at = 0; at < names.length; at += BATCH) yield names.slice(at, at + BATCH)
    }
  }
}

function pathOf(root: string, key: string): string {
  assertKey(key)
  return path.join(root, key)
}
