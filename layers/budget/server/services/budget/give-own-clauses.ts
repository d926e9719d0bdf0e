import type { Clause, Ctx } from '@svc/kit'
import type { BudgetContentAt } from '@svc/kit/modules/budget'
import { findClauseIds } from '../../db/budgets.ts'
import { textIn } from '../../../shared/domain/texts.ts'
import { settingsOf } from '../../settings.ts'

/**
 * The clinic's own conditions for a budget: those that the draft chose, or else those that are on by default. A
 * condition without a text in the budget's language is given in the clinic's.
 */
export async function giveOwnClauses(
  ctx: Ctx,
  { tx, clinic_id, budget_id, locale }: BudgetContentAt
): Promise<Clause[]> {
  const { clauses } = await settingsOf(ctx, clinic_id, tx)
  if (clauses.length === 0) return []
  const chosen = await findClauseIds(tx, budget_id)
  const { locale: own } = await ctx.clinics.get(clinic_id, tx)
  return clauses
    .filter(({ id, by_default }) => chosen ? chosen.includes(id) : by_default)
    .map(({ id, title, text }) => ({ id, title: textIn(title, locale, own), text: textIn(text, locale, own) }))
}
