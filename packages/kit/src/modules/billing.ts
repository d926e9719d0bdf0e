import type { Tx } from '../database.ts'

/** What `ctx.use('billing')` returns. */
export interface Billing {
  /** Null if the id is unknown, malformed, or another clinic's. With `tx` it reads through that transaction. */
  getInvoice (clinic_id: string, id: string, tx?: Tx): Promise<BilledInvoice | null>
  /** The invoices of this version of a budget in any status, without credit notes, oldest first. */
  listInvoicesOf (clinic_id: string, budget_id: string, tx?: Tx): Promise<BilledInvoice[]>
  /** An advance with what is left of it. Null as in `getInvoice`. */
  getAdvance (clinic_id: string, id: string, tx?: Tx): Promise<BilledAdvance | null>
  /**
   * Issued invoices by the month of issue, without what is credited in that month, and drafts by the month in which
   * they were made, without empty months. Days are inclusive, in the given zone.
   */
  invoicedByMonth (about: BillingPeriod): Promise<InvoicedMonth[]>
  /** Advances by the month of payment; the same period. An applied one is in an invoice too. */
  advancesByMonth (about: BillingPeriod): Promise<AdvanceMonth[]>
  /**
   * Records money that came before its invoice, in any state of the budget except draft. A withdrawn or cancelled one
   * is put on the attention list. Invoices that are issued already are paid as far as they are due. Pass an
   * `advance_id`, so that a repeated call records one advance. Throws `not_found`, `wrong_state` for a draft,
   * `advance_id_used`. Call it late in the transaction: others wait for the number of the receipt until it ends. Record
   * for one budget in a transaction, and never in a guard of `budget.*`. It locks the budget, which is locked before a
   * guard of `budget.*` runs: so never hold the lock of a row that your guard locks when you call it, or the two can
   * deadlock. Commit your row first, with a job that records the advance.
   */
  recordAdvance (tx: Tx, advance: NewAdvance): Promise<RecordedAdvance>
  /**
   * Records that all or part of an advance was returned, once for a `reversal_id`. If an invoice has taken that money,
   * the invoice is due again, and other open advances of the budget pay it. Throws `not_found`, `over_advance` if less
   * than the amount is left to return, and `return_id_used` if the `reversal_id` has another amount or advance.
   */
  returnAdvance (tx: Tx, about: NewReturn): Promise<RecordedAdvance>
}

/** Money in minor units of `currency`. */
export interface BilledInvoice {
  id: string
  /** Null until the invoice is issued. */
  number: string | null
  status: 'draft' | 'issued' | 'paid' | 'credited' | 'cancelled'
  budget: { id: string, number: string }
  /** The name is empty after the patient's data was erased. */
  patient: { id: string, first_name: string, last_name: string }
  currency: string
  /** The language of the document. */
  locale: string
  total: bigint
  /** What is left to pay. */
  due: bigint
  /** The last day to pay, `YYYY-MM-DD`; null before the issue, or if none was set. */
  due_on: string | null
}

/** Days are inclusive, in the given zone. */
export interface BillingPeriod { clinic_id: string, from: string, to: string, time_zone: string }

export type PaymentMethod = 'cash' | 'card' | 'transfer' | 'other'

export interface NewAdvance {
  clinic_id: string
  budget_id: string
  /** Minor units, more than zero. */
  amount: bigint
  /** The budget's. */
  currency: string
  method: PaymentMethod
  paid_at: Date
  /** The payment's reference at the bank or provider. */
  reference?: string | null
  note?: string | null
  /** The issued invoice to pay first. Without it, the oldest ones are paid first. */
  invoice_id?: string | null
  /** Records one advance if the call is repeated. */
  advance_id?: string
  /** The member who recorded it; null if no member did. */
  created_by?: string | null
}

export interface NewReturn {
  clinic_id: string
  advance_id: string
  /** Minor units, more than zero. */
  amount: bigint
  /** Text of the staff or the provider, which an erasure removes. */
  reason: string
  /** Records one return if the call is repeated with the same amount. */
  reversal_id?: string
  /** The member who returned it; null if no member did. */
  reversed_by?: string | null
}

/** `number`: of the receipt. `applied`: what invoices have taken; `balance`: what is left. Both in minor units. */
export interface RecordedAdvance { id: string, number: string, applied: bigint, balance: bigint }

/** `amount`: what was paid; `returned`: the part of it that went back. `amount - returned` can still be returned. */
export interface BilledAdvance extends RecordedAdvance { currency: string, amount: bigint, returned: bigint }

export interface InvoicedMonth {
  /** `YYYY-MM` */
  month: string
  /** Invoices; credit notes are not counted. */
  count: number
  /** Minor units of the clinic's currency, with tax. Credit notes are taken off, so it can be negative. */
  amount: bigint
  /** Drafts aren't invoices yet, so `count` and `amount` leave them out. */
  drafts: number
}

/**
 * `count` and `amount` of the advances that were paid in a month, without what was returned; `balance` is the part that
 * no invoice has taken yet.
 */
export interface AdvanceMonth { month: string, count: number, amount: bigint, balance: bigint }

/** Payloads of the decisions that other modules may refuse. Money is decimal text of `currency`. */
export interface BillingSteps {
  /** A draft of an invoice is issued. */
  'billing.issue': {
    clinic_id: string
    invoice_id: string
    budget_id: string
    budget_number: string
    patient_id: string
    total: string
    currency: string
    /** What advances pay of `total`; the rest is due. */
    paid: string
  }
}
