import type { Ctx } from '@svc/kit'
import type { Budgets } from '../../../budget/server/exports.ts'
import { listLines, type InvoiceKey } from '../db/invoices.ts'
import { listPayments } from '../db/payments.ts'
import { invoiceSheet } from '../pdf/invoice-sheet.ts'
import { getStoredInvoice } from './get-invoice.ts'
import { sumOf } from './views.ts'

export interface InvoicePdf { bytes: Uint8Array, /** Letters, digits, dashes. */ name: string }

/** The PDF as the invoice stands, drawn by the budget's means. `locale` is the reader's. Throws `not_found`. */
export async function renderInvoicePdf(ctx: Ctx, { locale: wanted, ...key }: InvoiceKey & { locale?: string }): Promise<InvoicePdf> {
  const invoice = await getStoredInvoice(ctx, key)
  const [lines, payments, clinic] = await Promise.all([listLines(ctx.db, invoice.id), listPayments(ctx.db, invoice.id), ctx.clinics.get(key.clinic_id)])
  const budgets = ctx.use<Budgets>('budget')
  const locale = budgets.documentLocale(...[wanted, invoice.locale, clinic.locale].filter(name => name !== undefined))
  const sheet = invoiceSheet({ invoice, lines, paid: sumOf(payments), locale, time_zone: clinic.time_zone })
  const bytes = await budgets.drawSheet({ clinic_id: clinic.id, issuer: invoice.issuer, sheet })
  return { bytes, name: `${invoice.number ?? `${invoice.budget_number}-invoice-draft`}.pdf` }
}
