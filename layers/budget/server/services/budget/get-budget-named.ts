import { problem, type Ctx } from '@svc/kit'
import type { BudgetRow } from '../../db/budgets.ts'
import { budgetIds, newestVersion } from '../../db/external-ids.ts'
import { getStaffBudget } from './get-staff-budget.ts'

/** The newest version of the budget with this id in another system. Throws `not_found`. */
export async function getBudgetNamed(
  ctx: Ctx,
  { clinic_id, system, id }: { clinic_id: string, system: string, id: string }
): Promise<BudgetRow> {
  const first = await budgetIds(ctx).find(ctx.db, { clinic_id, system, external_id: id })
  if (!first) throw problem('not_found')
  return await getStaffBudget(ctx.db, { clinic_id, id: await newestVersion(ctx.db, { clinic_id, id: first }) })
}
