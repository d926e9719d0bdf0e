import { isId, matchesEtag, problem, type Ctx } from '@svc/kit'
import { lockSet, removeSet } from '../../db/sets.ts'

interface Input { clinic_id: string, id: string, if_match: string | undefined }

export async function deleteSet(ctx: Ctx, { clinic_id, id, if_match }: Input): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const stored = isId(id) ? await lockSet(tx, { clinic_id, id }) : null
    if (!stored) throw problem('not_found')
    if (!matchesEtag(stored.version, if_match)) throw problem('precondition_failed')
    await removeSet(tx, stored)
  })
}
