import { createHash } from 'node:crypto'
import { problem, type Ctx } from '@svc/kit'

/** A document that is stored as a file, and the SHA-256 of its bytes in hex. */
export interface HeldFile { held_file: string | null, held_sha256: string | null }

/**
 * Stores the document once. `file` identifies its state, so that an erasure that was interrupted after writing the file
 * finds it again instead of writing a second one.
 */
export async function holdFile(
  ctx: Ctx,
  file: string,
  { dry_run, draw }: { dry_run: boolean, draw: () => Promise<Uint8Array> }
): Promise<{ file: string, sha256: string }> {
  if (dry_run) return { file, sha256: '' } // rolled back
  return { file, sha256: sha256Of(await writeOrRead(ctx, file, await draw())) }
}

/** The letterhead may have changed since the first attempt. The existing file shows the same document. */
async function writeOrRead(ctx: Ctx, file: string, bytes: Uint8Array): Promise<Uint8Array> {
  try {
    await ctx.files.writeOnce(file, bytes)
    return bytes
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'EEXIST') throw error
    return await ctx.files.read(file)
  }
}

/** Throws `invoice_file_mismatch` if the file is not the one that was stored. */
export async function readHeld(ctx: Ctx, { held_file, held_sha256 }: HeldFile): Promise<Uint8Array> {
  const bytes = await ctx.files.read(held_file!).catch((error: { code?: unknown }) => {
    throw error.code === 'ENOENT' ? problem('invoice_file_mismatch') : error
  })
  if (sha256Of(bytes) !== held_sha256) throw problem('invoice_file_mismatch')
  return bytes
}

const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
