import { isId, problem, type Ctx } from '@svc/kit'
import type { ClearRequest } from '../../../shared/contract.ts'
import { findRequestLocked, updateRequest, type RequestKey } from '../../db/requests.ts'
import { recordChange, type Who } from './cancel-request.ts'

type Input = RequestKey & ClearRequest & { who: Who }

/**
 * The staff have looked at these reasons. One that came meanwhile stays, and so does the request on the attention list.
 * Throws `not_found`.
 */
export async function clearAttention(ctx: Ctx, { clinic_id, id, reasons, who }: Input): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const request = isId(id) ? await findRequestLocked(tx, { clinic_id, id }) : null
    if (!request) throw problem('not_found')
    const attention = request.attention.filter(reason => !reasons.includes(reason))
    if (attention.length === request.attention.length) return
    await updateRequest(tx, id, { attention })
    await recordChange(ctx, tx, request, who, 'attention')
  })
}
