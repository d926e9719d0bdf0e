import type { Ctx } from '@svc/kit'
import type { InvoiceRow } from '../../db/invoices.ts'
import { drawInvoice } from '../draw-invoice.ts'
import { holdFile } from './held-file.ts'

/** Stores the invoice once, when the patient's data is erased. */
export const holdInvoice = (ctx: Ctx, invoice: InvoiceRow, { dry_run }: { dry_run: boolean }) =>
  holdFile(ctx, `invoices/${invoice.id}-${invoice.edit}.pdf`, { dry_run, draw: () => drawInvoice(ctx, invoice) })
