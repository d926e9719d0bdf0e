import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { open, unlink, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import { problem } from '@svc/kit'
import { makePrivate } from '../../files/private-folders.ts'

/** An uploaded file that is not stored yet. It is on disk, so that this process never holds it whole. */
export interface UploadedFile {
  /** Reads the file from its start, each time it is called. */
  pieces (): AsyncIterable<Uint8Array>
  /** Removes the file. */
  close (): Promise<void>
}

/** A network folder keeps a name for a file that a killed process had open: the job `unfinished` removes it. */
export const uploadsFolder = (storage: string): string => path.join(storage, 'uploads')

const CIPHER = 'aes-256-ctr'
const PIECE = 65_536

/**
 * Writes the pieces to a file below `storage`. Only this process can read it: it has the key, and the file has no name,
 * so that nothing remains when the process ends. Throws `payload_too_large` for more than `limit` bytes, `storage_full`
 * and `storage_unavailable`.
 */
export async function storeUpload(
  storage: string,
  pieces: AsyncIterable<Uint8Array>,
  limit: number
): Promise<UploadedFile> {
  const [key, iv] = [randomBytes(32), randomBytes(16)]
  const handle = await openNameless(storage).catch(failed)
  try {
    const size = await writePieces(handle, encrypted(pieces, key, iv), limit)
    return { pieces: () => readPieces(handle, { size, key, iv }), close: () => handle.close() }
  } catch (error) {
    await handle.close()
    throw error
  }
}

async function* encrypted(pieces: AsyncIterable<Uint8Array>, key: Buffer, iv: Buffer): AsyncGenerator<Uint8Array> {
  const cipher = createCipheriv(CIPHER, key, iv)
  for await (const piece of pieces) yield cipher.update(piece)
}

/** Returns the number of bytes. */
async function writePieces(handle: FileHandle, pieces: AsyncIterable<Uint8Array>, limit: number): Promise<number> {
  let size = 0
  for await (const piece of pieces) {
    size += piece.length
    if (size > limit) throw problem('payload_too_large', { detail: 'The file is larger than 20 MB.' })
    await handle.appendFile(piece).catch(failed)
  }
  return size
}

/** Not with the handle's streams: they keep it open after they have ended. */
async function* readPieces(
  handle: FileHandle,
  { size, key, iv }: { size: number, key: Buffer, iv: Buffer }
): AsyncGenerator<Uint8Array> {
  const decipher = createDecipheriv(CIPHER, key, iv)
  const buffer = Buffer.allocUnsafe(Math.min(PIECE, size))
  for (let position = 0; position < size;) {
    const { bytesRead } = await handle.read({ buffer, position })
    if (bytesRead === 0) throw new Error('an uploaded file is shorter than what was written')
    position += bytesRead
    yield decipher.update(buffer.subarray(0, bytesRead))
  }
}

async function openNameless(storage: string): Promise<FileHandle> {
  const folder = uploadsFolder(storage)
  await makePrivate(storage, folder)
  const file = path.join(folder, `${randomBytes(9).toString('base64url')}.tmp`)
  const handle = await open(file, 'wx+', 0o600)
  try {
    await unlink(file)
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}

const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])
/** Space is never freed within seconds. */
const RETRY_SECONDS = 30

function failed(cause: NodeJS.ErrnoException): never {
  const code = FULL.has(cause.code ?? '') ? 'storage_full' : 'storage_unavailable'
  throw Object.assign(problem(code, { retry_after: RETRY_SECONDS }), { cause })
}
