import type { Ctx } from '@svc/kit'
import type { InvoiceKey } from '../db/invoices.ts'
import { drawInvoice } from './draw-invoice.ts'
import { getStoredInvoice } from './get-invoice.ts'
import { readHeld } from './held/held-file.ts'

export interface InvoicePdf { bytes: Uint8Array, /** Letters, digits, dashes. */ name: string }

/**
 * The invoice in its current state and the reader's language, or the stored document if the patient's data was erased.
 * Throws `not_found`, `invoice_file_mismatch`.
 */
export async function renderInvoicePdf(
  ctx: Ctx,
  { locale, ...key }: InvoiceKey & { locale?: string }
): Promise<InvoicePdf> {
  const invoice = await getStoredInvoice(ctx, key)
  const bytes = await (invoice.held_file === null ? drawInvoice(ctx, invoice, locale) : readHeld(ctx, invoice))
  return { bytes, name: `${invoice.number ?? `${invoice.budget_number}-${invoice.kind.replace('_', '-')}-draft`}.pdf` }
}
