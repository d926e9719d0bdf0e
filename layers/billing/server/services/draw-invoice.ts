import type { Ctx } from '@svc/kit'
import { clinicLetterhead } from '@svc/sheet/clinic-letterhead.ts'
import { drawSheet } from '@svc/sheet/draw-sheet.ts'
import { listLines, type InvoiceRow } from '../db/invoices.ts'
import { listCreditNotes } from '../db/credits.ts'
import { listOfNumber } from '../db/advances.ts'
import { listPayments } from '../db/payments.ts'
import { invoiceSheet, issuerLines } from '../pdf/invoice-sheet.ts'
import { invoiceLocale } from '../pdf/labels.ts'
import { findCreditedBy } from './get-invoice.ts'
import { issuerOf, reasonOf } from './issuer.ts'
import { findRecipient } from './recipient.ts'
import { advancesOf, sumOf } from './views.ts'

/** Draws the PDF of an invoice in its current state. `wanted` is the reader's language. */
export async function drawInvoice(ctx: Ctx, invoice: InvoiceRow, wanted?: string): Promise<Uint8Array> {
  const [lines, payments, advances, notes, credited, clinic, recipient] = await Promise.all([
    listLines(ctx.db, invoice.id),
    listPayments(ctx.db, invoice.id),
    listOfNumber(ctx.db, invoice),
    listCreditNotes(ctx.db, invoice.id),
    findCreditedBy(ctx, invoice),
    ctx.clinics.get(invoice.clinic_id),
    invoice.issuer ? invoice.recipient : findRecipient(ctx, { clinic_id: invoice.clinic_id, id: invoice.patient_id })
  ])
  const issuer = invoice.issuer ?? issuerOf(clinic)
  const locale = invoiceLocale(...[wanted, invoice.locale, clinic.locale].filter(name => name !== undefined))
  const sheet = invoiceSheet({
    invoice,
    lines,
    paid: sumOf(payments),
    notes,
    credited,
    advances: advancesOf(advances, payments).map(({ advance: { paid_at, balance }, applied }) =>
      ({ paid_at, balance, applied })),
    pro_forma: await reasonOf(ctx, invoice, clinic) !== null,
    recipient,
    locale,
    time_zone: clinic.time_zone
  })
  // Clinic and address as they were when the invoice was issued.
  const letterhead = { ...(await clinicLetterhead(ctx, clinic)), ...issuer, address: issuerLines(issuer, locale) }
  return (await drawSheet(ctx, sheet, letterhead)).bytes
}
