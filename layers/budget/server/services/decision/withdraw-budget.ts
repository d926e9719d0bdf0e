import { problem, type Client, type Ctx } from '@svc/kit'
import type { WithdrawRequest } from '../../../shared/contract.ts'
import { updateBudget, type BudgetKey, type BudgetRow } from '../../db/budgets.ts'
import { checkStep } from '../budget/check-step.ts'
import { lockStaffBudget } from '../budget/lock-staff-budget.ts'
import { logAccess } from '../log/log-access.ts'
import { logRefusal } from '../log/log-refusal.ts'
import { publishFact } from '../budget/publish-fact.ts'
import { withdrawalSeal } from '../log/withdrawal-seal.ts'

type Input = BudgetKey & WithdrawRequest & { user_id: string, client: Client }

/**
 * Withdraws an acceptance for the patient. Its record, signed PDF and state are not changed. Throws `not_found`,
 * `patient_erased`, `already_withdrawn`, the problems of guards, or `wrong_state` for a budget that was not accepted.
 */
export async function withdrawBudget(
  ctx: Ctx,
  { user_id, client, requested_by, reason, ...key }: Input
): Promise<BudgetRow> {
  const attempt = { budget_id: key.id, action: 'withdrawn' as const, actor: 'staff' as const, user_id, client }
  return await logRefusal(ctx, attempt, () => ctx.db.transaction(async (tx) => {
    const { budget, now } = await lockStaffBudget(tx, key)
    if (budget.withdrawn_at)
      throw problem('already_withdrawn', { withdrawn_at: budget.withdrawn_at.toISOString() })
    if (budget.status !== 'accepted')
      throw problem('wrong_state', { detail: 'Only an accepted budget can be withdrawn. This one was not accepted.' })
    const decided_at = budget.decided_at?.toISOString() ?? null
    await checkStep(ctx, tx, { name: 'budget.withdraw', budget, fields: { decided_at, requested_by } })
    const columns = { withdrawn_at: now, withdrawn_by: user_id, withdrawal_requested_by: requested_by }
    const detail = { requested_by, withdrawal: withdrawalSeal(ctx.secrets, { id: budget.id, ...columns }) }
    await logAccess(
      ctx,
      tx,
      { ...attempt, detail, personal: { reason } },
      { ...budget, now }
    )
    const withdrawn = await updateBudget(tx, budget.id, { ...columns, withdrawal_reason: reason })
    const fields = { withdrawn_at: now.toISOString(), requested_by, withdrawn_by: user_id }
    await publishFact(ctx, tx, { name: 'budget.withdrawn', budget, fields })
    return withdrawn
  }))
}
