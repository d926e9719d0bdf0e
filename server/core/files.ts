import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises'
import path from 'node:path'
import type { Ctx } from '@svc/kit'
import type { Config } from './config.ts'

const KEY = /^[a-z0-9][a-z0-9._-]*(?:\/[a-z0-9][a-z0-9._-]*)*$/

/** Documents below `<storage>/documents`. Nothing in a key comes from outside, and it could not leave the folder if it did. */
export function createFiles(config: Pick<Config, 'storage'>): Ctx['files'] {
  const root = path.join(config.storage, 'documents')

  return {
    async writeOnce(key, bytes) {
      const file = pathOf(root, key)
      await mkdir(path.dirname(file), { recursive: true })
      if (await placeNew(file, bytes)) return
      const stored = await readFile(file)
      if (!stored.equals(bytes)) throw Object.assign(new Error(`${key} is written already, with other bytes`), { code: 'EEXIST' })
    },
    read: key => readFile(pathOf(root, key))
  }
}

function pathOf(root: string, key: string): string {
  if (!KEY.test(key) || key.length > 200) throw new RangeError('a document key is made of a-z0-9._- and /')
  return path.join(root, key)
}

/** Complete and on disk before it has its name: a crash leaves all of it or nothing. False: the name is taken. */
export async function placeNew(file: string, bytes: Uint8Array | string): Promise<boolean> {
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`
  const handle = await open(temporary, 'wx', 0o600)
  try {
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
  try {
    await link(temporary, file) // rename would replace an existing file
    await syncFolder(path.dirname(file))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    await unlink(temporary)
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
