import type { Csv, Ctx } from '@svc/kit'
import { idBatches } from '@svc/kit/csv'
import type { InvoiceExportQuery, InvoiceRow } from '../../shared/contract.ts'
import { findInvoices, packInvoiceIds } from '../db/list.ts'
import { readRows } from './list-invoices.ts'

const COLUMNS = [
  'number',
  'status',
  'budget_number',
  'budget_version',
  'patient_id',
  'patient_first_name',
  'patient_last_name',
  'currency',
  'total',
  'tax',
  'paid',
  'due',
  'created_at',
  'issued_at',
  'due_on',
  'cancelled_at',
  'paid_in_advance',
  'title',
  'credited',
  'credits'
]

/** All invoices of the list. */
export async function exportInvoices(
  ctx: Ctx,
  { sort, ...filter }: InvoiceExportQuery & { clinic_id: string }
): Promise<Csv> {
  const packed = await packInvoiceIds(ctx.db, filter, sort)
  return { name: 'invoices', columns: COLUMNS, batches: readBatches(ctx, filter.clinic_id, packed) }
}

async function* readBatches(ctx: Ctx, clinic_id: string, packed: Uint8Array) {
  for (const ids of idBatches(packed)) {
    const found = await findInvoices(ctx.db, { clinic_id, ids })
    const toListed = await readRows(ctx, found)
    const rows = new Map(found.map(row => [row.id, toListed(row)]))
    yield ids.flatMap(id => rows.get(id) ?? []).map(toCells)
  }
}

const toCells = (row: InvoiceRow): (string | null)[] => [
  row.number,
  row.status,
  row.budget.number,
  String(row.budget.version),
  row.patient.id,
  row.patient.first_name,
  row.patient.last_name,
  row.currency,
  row.total,
  row.tax,
  row.paid,
  row.due,
  row.created_at,
  row.issued_at,
  row.due_on,
  row.cancelled_at,
  row.paid_in_advance,
  row.title,
  row.credited,
  row.credits?.number ?? null
]
