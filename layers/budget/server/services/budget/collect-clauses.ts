import type { Ctx, ModuleClause, Tx } from '@svc/kit'
import type { BudgetContentAt } from '@svc/kit/modules/budget'
import { formatMoney } from '@svc/kit/money'
import type { ShownBudget } from '../../db/budgets.ts'

/** The conditions that the running modules have for this budget. Throws `clauses_failed` and `too_many_clauses`. */
export async function collectClauses(ctx: Ctx, tx: Tx, budget: ShownBudget): Promise<ModuleClause[]> {
  const { id: budget_id, clinic_id, locale, number, version, patient_id, currency, valid_until } = budget
  const money = (minor: bigint | null) => minor === null ? null : formatMoney(minor, currency)
  const at: BudgetContentAt = {
    tx,
    clinic_id,
    locale,
    budget_id,
    number,
    version,
    patient_id,
    currency,
    total: formatMoney(budget.total, currency),
    price_from: money(budget.price_from),
    price_to: money(budget.price_to),
    valid_until
  }
  return await ctx.clauses.collect('budget.content', at)
}

/** Rolls a preview back. */
class Rehearsed extends Error {}

/** A draft with the conditions that it would be sent with now; any other version is returned as it is. */
export async function withClauses<Budget extends ShownBudget>(ctx: Ctx, budget: Budget): Promise<Budget> {
  if (budget.status !== 'draft') return budget
  let clauses: ModuleClause[] = []
  await ctx.db.transaction(async (tx) => {
    clauses = await collectClauses(ctx, tx, budget)
    throw new Rehearsed()
  }).catch((error: unknown) => {
    if (!(error instanceof Rehearsed)) throw error
  })
  return { ...budget, clauses: clauses.length > 0 ? clauses : null }
}
