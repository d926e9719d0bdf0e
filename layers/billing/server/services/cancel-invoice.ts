import type { Ctx } from '@svc/kit'
import { findInvoiceLocked, updateInvoice } from '../db/invoices.ts'
import { assertAllowed } from '../../shared/domain/invoice-state.ts'
import { changeInvoice, type ChangeKey } from './change-invoice.ts'
import { insertCreditNote } from './credits/draft-credit-note.ts'
import { issueCreditNote } from './credits/issue-credit-note.ts'
import { getInvoice, getStoredInvoice, type Detail } from './get-invoice.ts'
import { findRecipient } from './recipient.ts'
import { unmarkWithdrawn } from './unmark-withdrawn.ts'

/**
 * Cancels a draft. An issued invoice without payments stays as it is: a credit note of all that is left of it is issued
 * instead. A withdrawn budget needs no more attention once none of its invoices is left. Throws `not_found`,
 * `precondition_failed`, `wrong_state`, `patient_erased`, `over_credit` while drafts of credit notes exist.
 */
export async function cancelInvoice(ctx: Ctx, { reason, ...key }: ChangeKey & { reason: string }): Promise<Detail> {
  const { clinic_id, user_id } = key
  const { kind, patient_id, budget_id } = await getStoredInvoice(ctx, key)
  // Called before the transaction, because another module uses another connection.
  const recipient = await findRecipient(ctx, { clinic_id, id: patient_id })
  await changeInvoice(ctx, key, async (tx, { invoice, paid }) => {
    assertAllowed({ ...invoice, paid }, 'cancel')
    if (invoice.status === 'issued') {
      const id = await insertCreditNote(tx, invoice, { reason })
      const note = await findInvoiceLocked(tx, { clinic_id, id })
      return await issueCreditNote(ctx, tx, note!, { user_id, recipient })
    }
    await updateInvoice(tx, invoice.id, {
      status: 'cancelled',
      cancelled_at: await ctx.clock.now(tx),
      cancelled_by: user_id,
      cancel_reason: reason
    })
  })
  if (kind === 'invoice') await unmarkWithdrawn(ctx, { clinic_id, budget_id })
  return await getInvoice(ctx, key)
}
