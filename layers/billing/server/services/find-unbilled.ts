import type { Ctx, Finding } from '@svc/kit'
import { invoicedOf } from '../db/of-budgets.ts'

const MINUTE = 60_000
const GRACE_PERIOD = 10 * MINUTE
/** Older budgets were already reported, or were accepted before this module was installed. */
const WINDOW = 30 * 24 * 60 * MINUTE

/** Accepted budgets that should have an invoice by now. */
export async function findUnbilled(ctx: Ctx): Promise<Finding[]> {
  const now = (await ctx.clock.now()).getTime()
  const accepted = await ctx
    .use('budget')
    .acceptedIn({ from: new Date(now - WINDOW), to: new Date(now - GRACE_PERIOD) })
  const invoiced = await invoicedOf(ctx.db, accepted)
  return accepted
    .filter(({ id }) => !invoiced.has(id))
    .map(({ number, decided_at }) => ({
      code: 'invoice_missing',
      object: number,
      message: `Accepted at ${decided_at.toISOString()}, and has no invoice yet.`,
      fix: 'Read the errors of billing in the log: the service retries a draft that fails. One accepted while billing was not installed gets none.',
      advice: true
    }))
}
