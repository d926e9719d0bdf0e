import type { Ctx, Db, Tx } from '@svc/kit'
import { factOf, type BudgetEvents } from '../../events.ts'

/** Writes an event of a budget in the transaction of its fact. The events of one budget are delivered in order. */
export async function publishFact<Name extends keyof BudgetEvents>(
  ctx: Ctx,
  tx: Tx | Db,
  { name, budget, fields }: { name: Name, budget: Parameters<typeof factOf>[0], fields: BudgetEvents[Name] }
): Promise<void> {
  await ctx.events.publish(tx, name, { ...factOf(budget), ...fields }, { key: budget.id })
}
