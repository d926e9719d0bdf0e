import type { Ctx, Json, Person, PersonData } from '@svc/kit'
import { listAdvancesOf } from '../db/advances.ts'
import { listInvoicesOf } from '../db/invoices.ts'
import { renderReceipt } from './advances/draw-receipt.ts'
import { getAdvance } from './advances/get-advance.ts'
import { getInvoice } from './get-invoice.ts'
import { renderInvoicePdf } from './render-invoice-pdf.ts'

/** Invoices with their lines and payments, advances, and the PDFs of all that have a number. */
export async function exportPatient(ctx: Ctx, { clinic_id, id: patient_id }: Person): Promise<PersonData> {
  const invoices: Json[] = []
  const files: NonNullable<PersonData['files']> = []
  for (const { id, number } of await listInvoicesOf(ctx.db, { clinic_id, patient_id })) {
    const { invoice } = await getInvoice(ctx, { clinic_id, id })
    invoices.push({ ...invoice })
    if (number !== null) files.push(await renderInvoicePdf(ctx, { clinic_id, id }))
  }
  const advances: Json[] = []
  for (const { id } of await listAdvancesOf(ctx.db, { clinic_id, patient_id })) {
    advances.push({ ...(await getAdvance(ctx, { clinic_id, id })).advance })
    files.push(await renderReceipt(ctx, { clinic_id, id }))
  }
  return { records: { Invoices: invoices, Advances: advances }, files }
}
