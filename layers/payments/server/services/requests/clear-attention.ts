import { isId, problem, type Ctx } from '@svc/kit'
import { findRequestLocked, updateRequest, type RequestKey } from '../../db/requests.ts'
import { recordChange, type Who } from './cancel-request.ts'

/** The staff have looked at it: the request leaves the attention list. Throws `not_found`. */
export async function clearAttention(ctx: Ctx, { clinic_id, id, who }: RequestKey & { who: Who }): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const request = isId(id) ? await findRequestLocked(tx, { clinic_id, id }) : null
    if (!request) throw problem('not_found')
    if (request.attention.length === 0) return
    await updateRequest(tx, id, { attention: [] })
    await recordChange(ctx, tx, request, who, 'attention')
  })
}
