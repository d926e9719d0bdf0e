import { problem, type Ctx } from '@svc/kit'
import type { BudgetKey } from '../../db/budgets.ts'
import { findProof } from '../../db/proof.ts'
import { findSignature } from '../../db/signatures.ts'
import { getStaffBudget } from '../budget/get-staff-budget.ts'
import { knownTo } from './known-to.ts'

/** Throws `not_found`, also while there is no decision. */
export async function getSignature(ctx: Ctx, key: BudgetKey) {
  const budget = await getStaffBudget(ctx.db, key)
  const found = await findSignature(ctx.db, budget.id)
  if (!found) throw problem('not_found', { detail: 'Nothing was decided on this budget yet.' })
  const { clinic_id: _clinic, content: _content, witness_id, author_id, image, ...record } = found
  const known_to = knownTo(ctx, await findProof(ctx.db, budget.id))
  const people = [witness_id, author_id, known_to?.user_id].filter(id => id != null)
  const names = await ctx.users.names(people)
  const person = (id: string | null) => id && { id, name: names.get(id) ?? '' }
  return {
    ...record,
    image: image && `data:image/png;base64,${image.toString('base64')}`,
    witness: person(witness_id),
    author: person(author_id),
    known_to: known_to
      && { id: known_to.user_id, name: names.get(known_to.user_id) ?? '', token_id: known_to.token_id ?? null }
  }
}
