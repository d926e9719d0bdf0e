import { isId, problem, type Ctx } from '@svc/kit'
import type { PaymentRequest } from '../../../shared/contract.ts'
import { findRequest, type RequestKey } from '../../db/requests.ts'
import { toRequest } from './views.ts'

/** A malformed id is treated as unknown, like another clinic's. Throws `not_found`. */
export async function getRequest(ctx: Ctx, key: RequestKey): Promise<PaymentRequest> {
  const row = isId(key.id) ? await findRequest(ctx.db, key) : null
  if (!row) throw problem('not_found')
  return await toRequest(ctx, row)
}
