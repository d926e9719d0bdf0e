import type { Ctx } from '@svc/kit'

/** Null if there is no file with that key. */
export async function findFile(ctx: Ctx, key: string): Promise<Uint8Array | null> {
  return await ctx.files.read(key).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
}
