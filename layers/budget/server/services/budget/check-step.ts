import type { Ctx, Tx } from '@svc/kit'
import type { BudgetFact, BudgetSteps } from '@svc/kit/modules/budget'
import { factOf } from '../../events.ts'

type Fields<Name extends keyof BudgetSteps> = Omit<BudgetSteps[Name], keyof BudgetFact>

/**
 * Asks the modules that guard this decision. Call it when nothing else refuses the decision any more, under the
 * budget's lock, and before anything is written. Throws the guard's problem.
 */
export async function checkStep<Name extends keyof BudgetSteps>(
  ctx: Ctx,
  tx: Tx,
  { name, budget, fields }: { name: Name, budget: Parameters<typeof factOf>[0], fields: Fields<Name> }
): Promise<void> {
  await ctx.steps.check<string>(tx, name, { ...factOf(budget), ...fields })
}
