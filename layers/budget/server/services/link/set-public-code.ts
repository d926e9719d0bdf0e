import { problem, type Client, type Ctx } from '@svc/kit'
import type { BudgetKey } from '../../db/budgets.ts'
import { findLink, saveCode } from '../../db/links.ts'
import { removeSentCode } from '../../db/sent/codes.ts'
import { endSessions } from '../../db/sessions.ts'
import { generateCode } from './code.ts'
import { lockStaffBudget } from '../budget/lock-staff-budget.ts'
import { logAccess } from '../log/log-access.ts'
import { codeSeal } from './row-seals.ts'

interface Input extends BudgetKey {
  user_id: string
  client: Client
  /** Generated if undefined. */
  code: string | undefined
}

/**
 * A new code ends every open session and starts a new epoch of attempts. A draft may have one before it is sent. The
 * generated code is only in the answer. Throws `not_found` or `wrong_state`.
 */
export async function setPublicCode(
  ctx: Ctx,
  { user_id, client, code, ...key }: Input
): Promise<{ public_code?: string }> {
  const wanted = code ?? generateCode()
  const code_hash = await ctx.secrets.hash(wanted)
  await ctx.db.transaction(async (tx) => {
    const { budget } = await lockStaffBudget(tx, key)
    const link = await findLink(tx, budget.id)
    if (budget.status !== 'draft' && !link?.token_hash)
      throw problem('wrong_state', { detail: 'This budget was never sent, so it has no link that a code could open.' })
    const row = { budget_id: budget.id, clinic_id: budget.clinic_id, code_hash }
    await saveCode(tx, row, { code_hash, code_seal: codeSeal(ctx.secrets, row) })
    await endSessions(tx, budget.id)
    await removeSentCode(tx, budget.id)
    await logAccess(ctx, tx, {
      budget_id: budget.id,
      action: 'code_set',
      actor: 'staff',
      user_id,
      client,
      // A draft has no link yet: the log row of its sending names the person who knows both.
      detail: { generated: code === undefined, ...(budget.status === 'draft' ? {} : { known_to: user_id }) }
    })
  })
  return code === undefined ? { public_code: wanted } : {}
}
