import { formatMoney, formatPercent } from '@svc/kit/money'
import type { Invoice, InvoiceRow } from '../../shared/contract.ts'
import type { InvoiceRow as Stored, LineRow } from '../db/invoices.ts'

const iso = (at: Date | null) => at?.toISOString() ?? null

export function toRow(row: Stored, paid: bigint): InvoiceRow {
  const money = (amount: bigint) => formatMoney(amount, row.currency)
  return {
    id: row.id,
    number: row.number,
    status: row.status,
    budget: { id: row.budget_id, number: row.budget_number, version: row.budget_version },
    patient: { id: row.patient_id, first_name: row.patient_first_name, last_name: row.patient_last_name },
    currency: row.currency,
    total: money(row.total),
    tax: money(row.tax_total),
    paid: money(paid),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    issued_at: iso(row.issued_at),
    cancelled_at: iso(row.cancelled_at)
  }
}

export const toLine = ({ id, treatment_id, code, name, quantity, vat, price, tax }: LineRow, currency: string): Invoice['items'][number] => ({
  id, treatment_id, code, name, quantity,
  vat: formatPercent(BigInt(vat)),
  price: formatMoney(price, currency),
  tax: formatMoney(tax, currency)
})
