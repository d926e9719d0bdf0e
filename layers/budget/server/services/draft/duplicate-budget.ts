import type { Ctx } from '@svc/kit'
import type { BudgetKey, BudgetRow } from '../../db/budgets.ts'
import { yearIn } from '../../../shared/domain/validity.ts'
import { copyBudget } from './copy-budget.ts'
import { getStaffBudget } from '../budget/get-staff-budget.ts'
import { takeNumber } from '../log/number-seal.ts'

/** A new budget with its own number, from any version in any state. */
export async function duplicateBudget(
  ctx: Ctx,
  { clinic_id, id, user_id }: BudgetKey & { user_id: string }
): Promise<BudgetRow> {
  return await ctx.db.transaction(async (tx) => {
    const source = await getStaffBudget(tx, { clinic_id, id })
    const { time_zone } = await ctx.clinics.get(clinic_id, tx)
    const number = await takeNumber(ctx, tx, { clinic_id, year: yearIn(time_zone, await ctx.clock.now(tx)) })
    return await copyBudget(ctx, tx, source, { number, version: 1, revises_id: null, created_by: user_id })
  })
}
