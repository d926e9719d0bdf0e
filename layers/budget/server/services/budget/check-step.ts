import type { Ctx, Tx } from '@svc/kit'
import type { BudgetFact, BudgetSteps } from '@svc/kit/modules/budget'
import { factOf } from '../../events.ts'

type Fields<Name extends keyof BudgetSteps> = Omit<BudgetSteps[Name], keyof BudgetFact>

/**
 * Asks the modules that guard this decision. Call it after all other checks, with the budget locked, and before
 * anything is written. Throws the guard's problem.
 */
export async function checkStep<Name extends keyof BudgetSteps>(
  ctx: Ctx,
  tx: Tx,
  { name, budget, fields }: { name: Name, budget: Parameters<typeof factOf>[0], fields: Fields<Name> }
): Promise<void> {
  const payload: BudgetFact & Fields<Name> = { ...factOf(budget), ...fields }
  // The compiler can't resolve the payload's type for a generic name; `payload` has the same members.
  await ctx.steps.check<string>(tx, name, payload)
}
