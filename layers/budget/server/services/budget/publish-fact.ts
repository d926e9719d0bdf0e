import type { Ctx, Db, Tx } from '@svc/kit'
import type { BudgetEvents, BudgetFact } from '@svc/kit/modules/budget'
import { factOf } from '../../events.ts'

type Fields<Name extends keyof BudgetEvents> = Omit<BudgetEvents[Name], keyof BudgetFact>

/** Writes an event of a budget in the transaction of its fact. The events of one budget are delivered in order. */
export async function publishFact<Name extends keyof BudgetEvents>(
  ctx: Ctx,
  tx: Tx | Db,
  { name, budget, fields }: { name: Name, budget: Parameters<typeof factOf>[0], fields: Fields<Name> }
): Promise<void> {
  const payload: BudgetFact & Fields<Name> = { ...factOf(budget), ...fields }
  // The compiler can't resolve the payload's type for a generic name; `payload` has the same members.
  await ctx.events.publish<string>(tx, name, payload, { key: budget.id })
}
