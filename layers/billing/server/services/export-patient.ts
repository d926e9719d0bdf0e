import type { Ctx, Json, Person, PersonData } from '@svc/kit'
import { listInvoicesOf } from '../db/invoices.ts'
import { getInvoice } from './get-invoice.ts'
import { renderInvoicePdf } from './render-invoice-pdf.ts'

/** Invoices with their lines and payments, and the PDF of each that was issued. */
export async function exportPatient(ctx: Ctx, { clinic_id, id: patient_id }: Person): Promise<PersonData> {
  const invoices: Json[] = []
  const files: NonNullable<PersonData['files']> = []
  for (const { id, number } of await listInvoicesOf(ctx.db, { clinic_id, patient_id })) {
    const { invoice } = await getInvoice(ctx, { clinic_id, id })
    invoices.push({ ...invoice })
    if (number !== null) files.push(await renderInvoicePdf(ctx, { clinic_id, id }))
  }
  return { records: { Invoices: invoices }, files }
}
