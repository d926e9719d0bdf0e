import { problem, type Ctx } from '@svc/kit'
import { isErased, updateInvoice } from '../db/invoices.ts'
import { takeNumber } from '../db/numbers.ts'
import { dayIn, yearIn } from '../../shared/domain/calendar.ts'
import { mustAllow, settled } from '../../shared/domain/invoice-state.ts'
import { changeInvoice, type ChangeKey } from './change-invoice.ts'
import { getInvoice, type Detail } from './get-invoice.ts'

/**
 * Gives a draft the next number of the clinic's year and freezes it, with the clinic as it is called today. The number
 * is taken last, so that a refused issuing uses none. Throws `not_found`, `precondition_failed`, `wrong_state`,
 * `patient_erased`.
 */
export async function issueInvoice(ctx: Ctx, key: ChangeKey): Promise<Detail> {
  await changeInvoice(ctx, key, async (tx, { invoice, paid }) => {
    mustAllow({ status: invoice.status, paid }, 'issue')
    if (isErased(invoice)) throw problem('patient_erased')
    const { name, address, phone, email, time_zone } = await ctx.clinics.get(key.clinic_id, tx)
    const { number, issued_at } = await takeNumber(tx, {
      clinic_id: key.clinic_id,
      year: yearIn(time_zone, await ctx.clock.now(tx))
    })
    await updateInvoice(tx, invoice.id, {
      status: settled(invoice.total, paid),
      number,
      issued_at,
      issued_on: dayIn(time_zone, issued_at),
      issued_by: key.user_id,
      issuer: { name, address, phone, email }
    })
  })
  return await getInvoice(ctx, key)
}
