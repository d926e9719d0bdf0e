import { randomBytes } from 'node:crypto'
import { link, open, unlink, type FileHandle } from 'node:fs/promises'
import path from 'node:path'

/**
 * The file is complete and synced before it gets its name, so that a crash leaves all of it or nothing. False: the name
 * is taken.
 */
export async function placeNew(file: string, bytes: Uint8Array | string): Promise<boolean> {
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`
  const handle = await open(temporary, 'wx', 0o600)
  try {
    await write(handle, bytes)
    await link(temporary, file) // rename would replace an existing file
    await syncFolder(path.dirname(file))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    await unlink(temporary) // also when the disk is full: otherwise each attempt would leave it fuller
  }
}

async function write(handle: FileHandle, bytes: Uint8Array | string): Promise<void> {
  try {
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
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
