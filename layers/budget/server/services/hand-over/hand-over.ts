import { randomInt } from 'node:crypto'
import { problem, type Ctx } from '@svc/kit'
import type { HandOverAnswer } from '../../../shared/contract.ts'
import type { BudgetKey } from '../../db/budgets.ts'
import { HAND_OVER_SECONDS, saveHandOver } from '../../db/hand-overs.ts'
import { findLink } from '../../db/links.ts'
import { findSignature } from '../../db/signatures.ts'
import { assertOpen } from '../decision/assert-open.ts'
import { lockStaffBudget } from '../budget/lock-staff-budget.ts'
import { mintToken } from '../link/link-token.ts'
import { handOverHash, handOverSeal, isLinkSealed } from '../link/row-seals.ts'

interface Input extends BudgetKey { user_id: string, session_mark: string | null }

/** Two budgets may not have the same digits at the same time. Of a million, a free one is found within a few tries. */
const MAX_ATTEMPTS = 20

/**
 * Digits and a URL that open this budget's patient page on another device, once, within ten minutes, and while the
 * caller's session is open. They replace earlier ones. Throws `not_found`, `wrong_state`, `already_decided`, `budget_*`
 * or `patient_erased`.
 */
export async function handOver(ctx: Ctx, { user_id, session_mark, ...key }: Input): Promise<HandOverAnswer> {
  if (!session_mark) throw problem('permission_denied')
  return await ctx.db.transaction(async (tx) => {
    const { budget, now } = await lockStaffBudget(tx, key)
    assertOpen(budget, { decision: budget.decided_at && await findSignature(tx, budget.id), now })
    const link = await findLink(tx, budget.id)
    if (!link || !isLinkSealed(ctx.secrets, link)) throw problem('wrong_state')
    const secret = mintToken()
    for (let tried = 0; tried < MAX_ATTEMPTS; tried++) {
      const code = String(randomInt(1_000_000)).padStart(6, '0')
      const row = {
        budget_id: budget.id,
        clinic_id: budget.clinic_id,
        digits_hash: handOverHash(ctx.secrets, code),
        secret_hash: handOverHash(ctx.secrets, secret),
        user_id,
        session_mark,
        created_at: now
      }
      if (await saveHandOver(tx, { ...row, seal: handOverSeal(ctx.secrets, row, link) }))
        return {
          code,
          url: `${ctx.base_url}/sign#${secret}`,
          expires_at: new Date(now.getTime() + HAND_OVER_SECONDS * 1000).toISOString()
        }
    }
    throw new Error('no digits are free: too many budgets are being handed over at once')
  })
}
