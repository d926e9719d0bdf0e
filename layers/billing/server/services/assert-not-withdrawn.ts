import { problem, type Ctx } from '@svc/kit'
import type { InvoiceRow } from '../db/invoices.ts'

/** If the acceptance of the budget was withdrawn, its draft is about to be cancelled. Throws `wrong_state`. */
export async function assertNotWithdrawn(ctx: Ctx, { kind, status, clinic_id, budget_id }: InvoiceRow): Promise<void> {
  if (status !== 'draft' || kind === 'credit_note') return
  const budget = await ctx.use('budget').getBudget(clinic_id, budget_id)
  if (budget?.withdrawn_at)
    throw problem('wrong_state', {
      detail: 'The acceptance of this budget was withdrawn, so there is nothing to invoice. The draft is being cancelled.'
    })
}
