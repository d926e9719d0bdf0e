import type { Ctx } from '@svc/kit'
import type { Budgets } from '../../../budget/server/exports.ts'
import { listLines, type InvoiceRow } from '../db/invoices.ts'
import { listPayments } from '../db/payments.ts'
import { invoiceSheet } from '../pdf/invoice-sheet.ts'
import { sumOf } from './views.ts'

/** The PDF of an invoice as it stands, drawn by the budget's means. `wanted` is the reader's language. */
export async function drawInvoice(ctx: Ctx, invoice: InvoiceRow, wanted?: string): Promise<Uint8Array> {
  const [lines, payments, clinic] = await Promise.all([
    listLines(ctx.db, invoice.id),
    listPayments(ctx.db, invoice.id),
    ctx.clinics.get(invoice.clinic_id)
  ])
  const budgets = ctx.use<Budgets>('budget')
  const locale = budgets.documentLocale(...[wanted, invoice.locale, clinic.locale].filter(name => name !== undefined))
  const sheet = invoiceSheet({ invoice, lines, paid: sumOf(payments), locale, time_zone: clinic.time_zone })
  return await budgets.drawSheet({ clinic_id: clinic.id, issuer: invoice.issuer, sheet })
}
