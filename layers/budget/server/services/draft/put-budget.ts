import type { Ctx } from '@svc/kit'
import { putByExternalId } from '@svc/kit/external-ids'
import type { CreateRequest } from '../../../shared/contract.ts'
import type { BudgetRow } from '../../db/budgets.ts'
import { budgetIds, newestVersion } from '../../db/external-ids.ts'
import { createBudget } from './create-budget.ts'
import { patchBudget } from './patch-budget.ts'

interface Input {
  clinic_id: string
  user_id: string
  params: { system?: string, id?: string }
  if_match: string | undefined
  body: CreateRequest
}

/**
 * Changes the newest version of the number, which must be a draft. Throws the problems of creating and changing one.
 */
export async function putBudget(
  ctx: Ctx,
  { clinic_id, user_id, params, if_match, body }: Input
): Promise<{ is_new: boolean, record: BudgetRow }> {
  const key = { clinic_id, system: params.system!, external_id: params.id! }
  return await putByExternalId({
    params,
    body,
    find: () => budgetIds(ctx).find(ctx.db, key),
    create: named => createBudget(ctx, { ...named, clinic_id, user_id }),
    async change(first, change) {
      const id = await newestVersion(ctx.db, { clinic_id, id: first })
      return await patchBudget(ctx, { clinic_id, id, if_match, change })
    }
  })
}
