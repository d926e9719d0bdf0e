import { formatMoney, formatPercent } from '@svc/kit/money'
import type { Invoice, InvoiceRow } from '../../shared/contract.ts'
import type { InvoiceRow as Stored, LineRow } from '../db/invoices.ts'
import type { StoredAdvance } from '../db/advances.ts'
import { reasonOfIssued } from './issuer.ts'
import type { Paid, PaymentRow } from '../db/payments.ts'
import type { ProFormaReason } from '../../shared/domain/document-title.ts'
import type { Part } from '../../shared/domain/credit.ts'
import { dueOf } from '../../shared/domain/invoice-state.ts'
import { taxesByRate } from '../../shared/domain/taxes.ts'

const iso = (at: Date | null) => at?.toISOString() ?? null
const percent = (hundredths: number) => formatPercent(BigInt(hundredths))

type Credited = Pick<Stored, 'id' | 'number' | 'issued_on'>

interface Rest { credited: Credited | null, /** Whether a credit note counts negative. */ signed: boolean }

/** `credited`: the invoice that a credit note corrects. */
export function toRow(
  row: Stored,
  { paid, in_advance }: Paid,
  { credited, signed }: Rest
): InvoiceRow {
  const money = (amount: bigint) => formatMoney(amount, row.currency)
  const is_note = row.kind === 'credit_note'
  const sign = signed && is_note ? -1n : 1n
  return {
    id: row.id,
    kind: row.kind,
    // Only issued invoices have credit notes, and they have a number.
    credits: credited && { id: credited.id, number: credited.number!, issued_on: credited.issued_on! },
    number: row.number,
    status: row.status,
    title: row.number === null ? null : reasonOfIssued(row) ? 'pro_forma' : row.kind,
    budget: { id: row.budget_id, number: row.budget_number, version: row.budget_version },
    patient: { id: row.patient_id, first_name: row.patient_first_name, last_name: row.patient_last_name },
    currency: row.currency,
    total: money(sign * row.total),
    tax: money(sign * row.tax_total),
    credited: money(row.credited),
    paid: money(paid),
    paid_in_advance: money(in_advance),
    due: money(is_note ? 0n : dueOf(row, paid)),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    issued_at: iso(row.issued_at),
    due_on: row.due_on,
    cancelled_at: iso(row.cancelled_at)
  }
}

/** In minor units: the amount that was paid and not reversed. */
export const sumOf = (payments: Pick<PaymentRow, 'amount' | 'reversal'>[]): bigint =>
  payments.reduce((sum, { amount, reversal }) => reversal ? sum : sum + amount, 0n)

const fromAdvance = (payments: PaymentRow[], id?: string) =>
  payments.filter(({ advance_id }) => id === undefined ? advance_id !== null : advance_id === id)

/** The advances that pay an invoice or have a balance; `applied` is in minor units. */
export const advancesOf = (advances: StoredAdvance[], payments: PaymentRow[]) =>
  advances
    .map(advance => ({ advance, applied: sumOf(fromAdvance(payments, advance.id)) }))
    .filter(({ advance, applied }) => applied > 0n || advance.balance > 0n)

/** Returns the member with an id. The name is empty if the member is unknown. */
export const personIn = (names: Map<string, string>) => (id: string | null) =>
  id === null ? null : { id, name: names.get(id) ?? '' }

interface Parts {
  lines: LineRow[]
  payments: PaymentRow[]
  /** Of the budget, oldest first. */ advances: StoredAdvance[]
  /** Of the staff, by id. */ names: Map<string, string>
  /** Of the invoice, oldest first. */ notes: Stored[]
  /** What is credited of a line. */ taken: (line_id: string) => Part
  /** The invoice that a credit note corrects. */ credited: Credited | null
  /** For a draft, the current one. */ pro_forma_reason: ProFormaReason | null
}

export function toInvoice(row: Stored, parts: Parts): Invoice {
  const { lines, payments, advances, notes, taken, credited, names, pro_forma_reason } = parts
  const money = (amount: bigint) => formatMoney(amount, row.currency)
  const person = personIn(names)
  return {
    ...toRow(
      row,
      { paid: sumOf(payments), in_advance: sumOf(fromAdvance(payments)) },
      { credited, signed: false }
    ),
    credit_reason: row.credit_reason,
    credit_notes: notes.map(({ id, number, status, total, issued_on }) =>
      ({ id, number, status, total: money(total), issued_on })),
    locale: row.locale,
    issued_on: row.issued_on,
    issued_by: person(row.issued_by),
    pro_forma: pro_forma_reason !== null,
    pro_forma_reason,
    cancelled_by: person(row.cancelled_by),
    cancel_reason: row.cancel_reason,
    items: lines.map(({ id, budget_item_id, treatment_id, code, name, quantity, vat, price, tax, ...line }) => ({
      id,
      budget_item_id,
      left: money(row.kind === 'credit_note' ? 0n : price - taken(id).price),
      credits_item_id: line.credits_line_id,
      treatment_id,
      code,
      name,
      quantity,
      vat: percent(vat),
      price: money(price),
      tax: money(tax)
    })),
    taxes: taxesByRate(lines).map(({ vat, net, tax, gross }) => ({
      vat: percent(vat),
      net: money(net),
      tax: money(tax),
      gross: money(gross)
    })),
    payments: payments.map(({ id, amount, method, paid_at, note, created_at, created_by, reversal, ...payment }) => ({
      id,
      amount: money(amount),
      method,
      paid_at: paid_at.toISOString(),
      note,
      created_at: created_at.toISOString(),
      created_by: person(created_by),
      advance: payment.advance_id && payment.receipt ? { id: payment.advance_id, number: payment.receipt } : null,
      reversal: reversal && {
        reason: reversal.reason,
        reversed_at: reversal.reversed_at.toISOString(),
        reversed_by: person(reversal.reversed_by)
      }
    })),
    advances: advancesOf(advances, payments).map(({ advance, applied }) => ({
      id: advance.id,
      number: advance.number,
      paid_at: advance.paid_at.toISOString(),
      method: advance.method,
      amount: money(advance.amount),
      applied: money(applied),
      balance: money(advance.balance)
    }))
  }
}
