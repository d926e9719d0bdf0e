import type { Csv, Ctx } from '@svc/kit'
import { idBatches } from '@svc/kit/csv'
import { formatMoney } from '@svc/kit/money'
import type { PaymentExportQuery } from '../../shared/contract.ts'
import { packPaymentIds } from '../db/list.ts'
import { findPayments } from '../db/payments.ts'

const COLUMNS = [
  'id',
  'paid_at',
  'amount',
  'currency',
  'method',
  'note',
  'invoice_number',
  'budget_number',
  'patient_id',
  'patient_first_name',
  'patient_last_name',
  'reversed_at',
  'reversal_reason',
  'receipt_number'
]

/** Every payment of the list's invoices, including reversed ones. */
export async function exportPayments(ctx: Ctx, filter: PaymentExportQuery & { clinic_id: string }): Promise<Csv> {
  const packed = await packPaymentIds(ctx.db, filter)
  return { name: 'payments', columns: COLUMNS, batches: readBatches(ctx, filter.clinic_id, packed) }
}

async function* readBatches(ctx: Ctx, clinic_id: string, packed: Uint8Array) {
  for (const ids of idBatches(packed)) {
    const rows = new Map((await findPayments(ctx.db, { clinic_id, ids })).map(row => [row.payment.id, row]))
    yield ids.flatMap(id => rows.get(id) ?? []).map(toCells)
  }
}

const toCells = ({
  payment,
  reversal,
  receipt,
  invoice
}: Awaited<ReturnType<typeof findPayments>>[number]): (string | null)[] => [
  payment.id,
  payment.paid_at.toISOString(),
  formatMoney(payment.amount, invoice.currency),
  invoice.currency,
  payment.method,
  payment.note,
  invoice.number,
  invoice.budget_number,
  invoice.patient_id,
  invoice.patient_first_name,
  invoice.patient_last_name,
  reversal?.reversed_at.toISOString() ?? null,
  reversal?.reason ?? null,
  receipt
]
