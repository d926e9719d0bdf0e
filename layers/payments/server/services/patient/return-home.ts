import { isProblem, type Ctx } from '@svc/kit'
import { findAttempt } from '../../db/attempts.ts'
import { checkAttempt } from '../attempts/check-attempt.ts'
import { openReturn } from '../attempts/start-checkout.ts'
import { payPath } from '../token.ts'
import { requestOf } from './view-pay.ts'

interface Return { token: string, attempt_id: string }

/**
 * The patient comes back from the provider. What the address says proves nothing: the provider is asked. Returns the
 * page where the patient came from. Throws `pay_link_not_found`.
 */
export async function returnHome(ctx: Ctx, { token, attempt_id }: Return): Promise<string> {
  const request = await requestOf(ctx, token)
  const attempt = /^[0-9a-f-]{36}$/i.test(attempt_id) ? await findAttempt(ctx.db, attempt_id) : null
  if (attempt?.request_id !== request.id) return payPath(ctx, request)
  try {
    await checkAttempt(ctx, attempt.id)
  } catch (error) {
    if (!isProblem(error)) throw error
    ctx.log.warn('payments.unreachable', { attempt_id, problem: error.code })
  }
  return attempt.return_to === null ? payPath(ctx, request) : openReturn(ctx, attempt.return_to)
}
