import type { Ctx } from '@svc/kit'
import { expireBatch } from '../../db/transitions.ts'
import { publishFact } from '../budget/publish-fact.ts'

/**
 * Runs every minute: expired budgets get the state that reads and decisions already show, and publish their event once.
 * Several instances share the work.
 */
export async function expireBudgets(ctx: Ctx): Promise<void> {
  for (;;) {
    const expired = await ctx.db.transaction(async (tx) => {
      const rows = await expireBatch(tx)
      for (const budget of rows)
        await publishFact(ctx, tx, {
          name: 'budget.expired',
          budget,
          fields: { expires_at: budget.expires_at!.toISOString() }
        })
      return rows.length
    })
    if (expired === 0) return
    ctx.log.info('budget.expired', { count: expired })
  }
}
