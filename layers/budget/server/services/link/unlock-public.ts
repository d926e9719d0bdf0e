import type { Actor, Client, Ctx } from '@svc/kit'
import type { BudgetKey } from '../../db/budgets.ts'
import { clearLock, findLink } from '../../db/links.ts'
import { linkState } from './link-state.ts'
import { lockStaffBudget } from '../budget/lock-staff-budget.ts'
import { logAccess } from '../log/log-access.ts'

interface Input extends BudgetKey { actor: Actor, user_id: string, client: Client, reason?: string | null }

/** Clears the lock and starts a new epoch; past attempts stay in the log. Does nothing if there is nothing to clear. */
export async function unlockPublic(ctx: Ctx, { actor, user_id, client, reason, ...key }: Input) {
  return await ctx.db.transaction(async (tx) => {
    const { budget, now } = await lockStaffBudget(tx, key)
    const cleared = await clearLock(tx, budget.id)
    if (cleared) {
      await logAccess(ctx, tx, {
        budget_id: budget.id,
        action: 'unlocked',
        actor: 'staff',
        user_id,
        client,
        detail: { ...cleared },
        personal: reason ? { reason } : {}
      })
    }
    const state = linkState(ctx, { budget, link: await findLink(tx, budget.id), now })
    if (cleared) await ctx.audit.record(tx, {
      clinic_id: budget.clinic_id,
      actor,
      client,
      action: 'link_unlocked',
      target: { kind: 'budget', id: budget.id },
      detail: { number: budget.number, ...cleared }
    })
    return state
  })
}
