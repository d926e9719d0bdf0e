import type { Ctx } from '@svc/kit'
import type { InvoiceQuery, InvoiceRow } from '../../shared/contract.ts'
import { findCredited } from '../db/credits.ts'
import type { InvoiceRow as Stored } from '../db/invoices.ts'
import { countByStatus, listPage } from '../db/list.ts'
import { NOTHING_PAID, sumPayments } from '../db/payments.ts'
import { INVOICE_STATUSES, type InvoiceStatus } from '../../shared/domain/invoice-state.ts'
import { toRow } from './views.ts'

export interface InvoiceList {
  rows: InvoiceRow[]
  total: number
  /** By state, with all filters except the state. */
  counts: Record<InvoiceStatus, number>
}

export async function listInvoices(
  ctx: Ctx,
  { page, page_size, sort, status, ...filter }: InvoiceQuery & { clinic_id: string }
): Promise<InvoiceList> {
  const [rows, found] = await Promise.all([
    listPage(ctx.db, { ...filter, status }, { sort, page, page_size }),
    countByStatus(ctx.db, filter)
  ])
  const toListed = await readRows(ctx, rows)
  const counts = Object.fromEntries(INVOICE_STATUSES.map(name => [name, found.get(name) ?? 0])) as InvoiceList['counts']
  const total = [...new Set(status ?? INVOICE_STATUSES)].reduce((sum, name) => sum + counts[name], 0)
  return { rows: rows.map(toListed), total, counts }
}

/** Returns the view of one of these rows. */
export async function readRows(ctx: Ctx, rows: Stored[]): Promise<(row: Stored) => InvoiceRow> {
  const [paid, credited] = await Promise.all([
    sumPayments(ctx.db, rows.map(({ id }) => id)),
    findCredited(ctx.db, rows.flatMap(({ credits_id }) => credits_id ?? []))
  ])
  return row => toRow(row, paid.get(row.id) ?? NOTHING_PAID, {
    credited: credited.get(row.credits_id ?? '') ?? null,
    signed: true
  })
}
