/** Members of every event of the module payments. */
export interface PaymentFact {
  clinic_id: string
  request_id: string
  /** `deposit`: of an accepted budget. `invoice`: an issued invoice. */
  kind: 'deposit' | 'invoice'
  budget_id: string
  budget_number: string
  patient_id: string
  /** What the patient was asked for. */
  amount: string
  currency: string
}

/** Payloads of the module's events. */
export interface PaymentEvents {
  /** A patient was asked for a deposit, or to pay an invoice. */
  'payments.requested': PaymentFact & {
    /** Null for a deposit. */
    invoice_id: string | null
    /** `YYYY-MM-DD` */
    due_on: string
  }
  /** A request was paid. */
  'payments.paid': PaymentFact & {
    /** The id of the payment, and of its advance in billing. */
    attempt_id: string
    method: 'card' | 'transfer' | 'cash' | 'other'
    paid_at: string
  }
  /** A request was cancelled before it was paid. An erasure, which cancels requests too, publishes nothing. */
  'payments.cancelled': PaymentFact & {
    /** A member's text, or `withdrawn`, `budget_cancelled` or `settled`. */
    reason: string | null
  }
  /** A payment was returned, in whole or in part. */
  'payments.refunded': PaymentFact & {
    refund_id: string
    attempt_id: string
    /** What was returned. */
    refunded: string
    reason: string | null
  }
  /** A payment needs the staff's attention. */
  'payments.attention': PaymentFact & {
    attempt_id: string
    /**
     * Why: another amount than asked for, a payment in test mode, a second payment, one after the end of the request, a
     * refused refund, a refund that billing can't record.
     */
    attention: 'mismatch' | 'test_payment' | 'paid_twice' | 'paid_late' | 'refund_refused' | 'refund_unrecorded'
  }
}
