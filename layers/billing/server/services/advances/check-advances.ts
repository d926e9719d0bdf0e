import type { Ctx, Tx } from '@svc/kit'
import { hasBalance, lockMoney, type NumberKey } from '../../db/advances.ts'

/**
 * Puts a withdrawn or cancelled budget with an open advance on the attention list, or removes it. Call it after each
 * change of a balance, with the money locked.
 */
export async function checkAdvances(ctx: Ctx, tx: Tx, { clinic_id, budget_number }: NumberKey): Promise<void> {
  const is_paid = await hasBalance(tx, { clinic_id, budget_number })
  await ctx.use('budget').markWithdrawnPaid(tx, { clinic_id, number: budget_number }, is_paid)
}

/** The same for an event, which may be delivered again. The budget module checks whether the budget was withdrawn. */
export async function checkAdvancesOf(
  ctx: Ctx,
  { clinic_id, budget_id }: { clinic_id: string, budget_id: string }
): Promise<void> {
  const budget = await ctx.use('budget').getBudget(clinic_id, budget_id)
  if (!budget) return
  const key = { clinic_id, budget_number: budget.number }
  await ctx.db.transaction(async (tx) => {
    await lockMoney(tx, key)
    await checkAdvances(ctx, tx, key)
  })
}
