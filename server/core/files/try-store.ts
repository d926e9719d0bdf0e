import { randomBytes } from 'node:crypto'
import { open, unlink } from 'node:fs/promises'
import path from 'node:path'
import type { Ctx } from '@svc/kit'
import type { Config } from '../config.ts'
import { makePrivate } from './private-folders.ts'

/** Larger than most documents, so that a store with no room for the next one is seen before it comes. */
const BYTES = randomBytes(256 * 1024)
/** A key that no document has: a bucket that can be reached and read answers that it is not there. */
const NO_KEY = 'is-there-anybody'

type Store = Pick<Config, 'storage' | 'object_store'>

/**
 * Whether documents can be stored; throws what stands in the way. A folder is written to. A bucket is only read: it
 * charges for writes, and a refused one is seen with the next document.
 */
export async function tryStore({ storage, object_store }: Store, files: Ctx['files']): Promise<void> {
  if (object_store) await files.read(NO_KEY).catch(ifNot('ENOENT'))
  else await tryFolder(storage)
}

async function tryFolder(storage: string): Promise<void> {
  const folder = path.join(storage, 'documents')
  await makePrivate(storage, folder)
  // What a killed process leaves behind has the name of an unfinished document, and is removed with them.
  const file = path.join(folder, `health-${randomBytes(6).toString('hex')}.tmp`)
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(BYTES)
    await handle.sync()
  } finally {
    await handle.close().catch(() => {})
    await unlink(file)
  }
}

const ifNot = (code: string) => (error: NodeJS.ErrnoException) => {
  if (error.code !== code) throw error
}
