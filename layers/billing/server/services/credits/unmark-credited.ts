import type { Ctx } from '@svc/kit'
import { findInvoice, type InvoiceRow } from '../../db/invoices.ts'

/** A withdrawn budget no longer needs attention once its invoice is credited in full. */
export async function unmarkCredited(ctx: Ctx, { clinic_id, credits_id }: InvoiceRow): Promise<void> {
  const invoice = credits_id === null ? null : await findInvoice(ctx.db, { clinic_id, id: credits_id })
  if (invoice?.status !== 'credited') return
  await ctx.use('budget').markWithdrawnInvoiced({ clinic_id, id: invoice.budget_id }, false)
}
