import { formatMoney } from '@svc/kit/money'
import type { Advance, AdvanceRow } from '../../../shared/contract.ts'
import { advanceStatus, appliedOf } from '../../../shared/domain/advances.ts'
import type { AdvanceReversalRow, AppliedRow, StoredAdvance } from '../../db/advances.ts'
import { personIn } from '../views.ts'

export function toAdvanceRow(row: StoredAdvance): AdvanceRow {
  const money = (amount: bigint) => formatMoney(amount, row.currency)
  return {
    id: row.id,
    number: row.number,
    status: advanceStatus(row),
    budget: { id: row.budget_id, number: row.budget_number },
    patient: { id: row.patient_id, first_name: row.patient_first_name, last_name: row.patient_last_name },
    currency: row.currency,
    amount: money(row.amount),
    applied: money(appliedOf(row)),
    returned: money(row.returned),
    balance: money(row.balance),
    method: row.method,
    reference: row.reference,
    note: row.note,
    paid_at: row.paid_at.toISOString(),
    created_at: row.created_at.toISOString()
  }
}

interface Parts {
  payments: AppliedRow[]
  reversals: AdvanceReversalRow[]
  /** Of the staff, by id. */ names: Map<string, string>
}

export function toAdvance(row: StoredAdvance, { payments, reversals, names }: Parts): Advance {
  const money = (amount: bigint) => formatMoney(amount, row.currency)
  const person = personIn(names)
  return {
    ...toAdvanceRow(row),
    created_by: person(row.created_by),
    payments: payments.map(({ id, invoice_id, invoice_number, amount, created_at, reversed_at }) => ({
      id,
      // Only issued invoices have payments, and they have a number.
      invoice: { id: invoice_id, number: invoice_number! },
      amount: money(amount),
      created_at: created_at.toISOString(),
      reversed_at: reversed_at?.toISOString() ?? null
    })),
    reversals: reversals.map(({ id, amount, reason, reversed_at, reversed_by }) => ({
      id,
      amount: money(amount),
      reason,
      reversed_at: reversed_at.toISOString(),
      reversed_by: person(reversed_by)
    }))
  }
}
