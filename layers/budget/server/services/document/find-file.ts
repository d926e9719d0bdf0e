import type { Ctx } from '@svc/kit'

/** Null when there is none of that key. */
export async function findFile(ctx: Ctx, key: string): Promise<Uint8Array | null> {
  return await ctx.files.read(key).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
}
