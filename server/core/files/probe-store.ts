import { randomBytes } from 'node:crypto'
import { open, unlink } from 'node:fs/promises'
import path from 'node:path'
import type { Ctx } from '@svc/kit'
import type { Config } from '../config.ts'
import { makePrivate } from './private-folders.ts'

/** Larger than most documents, so that a full store is detected before the next document. */
const BYTES = randomBytes(256 * 1024)
/** A key that no document has: a bucket that can be reached and read answers that it does not exist. */
const NO_KEY = 'is-there-anybody'

type Store = Pick<Config, 'storage' | 'object_store'>

/**
 * Checks whether documents can be stored, and throws the reason if not. A folder is written to. A bucket is only read,
 * because writes cost money; a refused write is detected with the next document.
 */
export async function probeStore({ storage, object_store }: Store, files: Ctx['files']): Promise<void> {
  if (object_store) await files.read(NO_KEY).catch(ifNot('ENOENT'))
  else await tryFolder(storage)
}

async function tryFolder(storage: string): Promise<void> {
  const folder = path.join(storage, 'documents')
  await makePrivate(storage, folder)
  // A killed process leaves a file that is named like an unfinished document, and is removed with those.
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
