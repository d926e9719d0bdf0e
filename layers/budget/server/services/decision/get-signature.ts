import { problem, type Ctx } from '@svc/kit'
import type { BudgetKey } from '../../db/budgets.ts'
import { findSignature } from '../../db/signatures.ts'
import { getStaffBudget } from '../draft/get-staff-budget.ts'

/** Throws `not_found`, also while nothing is decided. */
export async function getSignature(ctx: Ctx, key: BudgetKey) {
  const budget = await getStaffBudget(ctx.db, key)
  const found = await findSignature(ctx.db, budget.id)
  if (!found) throw problem('not_found', { detail: 'Nothing was decided on this budget yet.' })
  const { clinic_id: _clinic, content: _content, witness_id, author_id, image, ...record } = found
  const names = await ctx.users.names([witness_id, author_id].filter(id => id !== null))
  const person = (id: string | null) => id && { id, name: names.get(id) ?? '' }
  return {
    ...record,
    image: image && `data:image/png;base64,${image.toString('base64')}`,
    witness: person(witness_id),
    author: person(author_id)
  }
}
