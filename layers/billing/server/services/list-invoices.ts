import type { Ctx } from '@svc/kit'
import type { InvoiceQuery, InvoiceRow } from '../../shared/contract.ts'
import { selectInvoices, sumPayments } from '../db/invoices.ts'
import { toRow } from './views.ts'

export async function listInvoices(ctx: Ctx, { clinic_id, page, page_size, ...filter }: InvoiceQuery & { clinic_id: string }): Promise<{ rows: InvoiceRow[], total: number }> {
  const { rows, total } = await selectInvoices(ctx.db, { clinic_id, ...filter }, { page, page_size })
  const paid = await sumPayments(ctx.db, rows.map(row => row.id))
  return { rows: rows.map(row => toRow(row, paid.get(row.id) ?? 0n)), total }
}
