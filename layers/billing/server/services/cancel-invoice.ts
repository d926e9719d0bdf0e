import type { Ctx } from '@svc/kit'
import { updateInvoice } from '../db/invoices.ts'
import { assertAllowed } from '../../shared/domain/invoice-state.ts'
import { changeInvoice, type ChangeKey } from './change-invoice.ts'
import { getInvoice, type Detail } from './get-invoice.ts'

/**
 * Cancels a draft, or an issued invoice without payments, which keeps its number. If its budget was withdrawn, it no
 * longer needs attention. Throws `not_found`, `precondition_failed`, `wrong_state`.
 */
export async function cancelInvoice(ctx: Ctx, { reason, ...key }: ChangeKey & { reason: string }): Promise<Detail> {
  await changeInvoice(ctx, key, async (tx, { invoice, paid }) => {
    assertAllowed({ status: invoice.status, paid }, 'cancel')
    await updateInvoice(tx, invoice.id, {
      status: 'cancelled',
      cancelled_at: await ctx.clock.now(tx),
      cancelled_by: key.user_id,
      cancel_reason: reason
    })
  })
  const detail = await getInvoice(ctx, key)
  await ctx.use('budget').markWithdrawnInvoiced({ clinic_id: key.clinic_id, id: detail.invoice.budget.id }, false)
  return detail
}
