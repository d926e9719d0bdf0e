/** Members of every event of the module budget. */
export interface BudgetFact {
  clinic_id: string
  /** Of this version: a new version has another id, and keeps the number. */
  budget_id: string
  budget_number: string
  version: number
  patient_id: string
}

/** Payloads of the module's events. Instants are ISO 8601 with Z, money is decimal text of `currency`. */
export interface BudgetEvents {
  /** A version was sent to its patient. `channel`: `manual`, or the channel's name. */
  'budget.sent': BudgetFact & { channel: string, valid_until: string }
  /** The patient read it for the first time. */
  'budget.viewed': BudgetFact & { viewed_at: string }
  /** The patient accepted it. */
  'budget.accepted': BudgetFact & {
    decided_at: string
    accepted_via: 'remote_link' | 'in_clinic'
    signature_id: string
    total: string
    currency: string
    /** Absent if unit prices are without tax; the prices in this event always include it. */
    prices_include_tax?: true
    content_digest: string
    items: { item_id: string, treatment_id: string, code: string, quantity: number, price: string }[]
    /** If the patient chose: option ids by choice id, and the options not chosen. `items` has only the chosen lines. */
    selection?: Record<string, string | null>
    /** `total`: the sum of its lines before the discount on the total. */
    not_chosen?: { choice_id: string, option_id: string, title: string, total: string }[]
  }
  /** The patient declined it. */
  'budget.rejected': BudgetFact & {
    decided_at: string
    decided_via: 'remote_link' | 'in_clinic'
    signature_id: string
    /** Null if only a category was chosen. */
    reason: string | null
    reason_code: string | null
  }
  /** The message was sent again. */
  'budget.reminder_sent': BudgetFact & { channel: string, sent_at: string }
  /** The signed PDF can be downloaded. */
  'budget.signed_pdf_ready': BudgetFact & { sha256: string }
  /** The last valid day is over. */
  'budget.expired': BudgetFact & { expires_at: string }
  /** The clinic cancelled it. */
  'budget.cancelled': BudgetFact & { reason: string | null, cancelled_by: string | null }
  /** A newer version took its place. */
  'budget.superseded': BudgetFact & { superseded_by_id: string }
  /** Its acceptance was withdrawn. The state stays `accepted`. */
  'budget.withdrawn': BudgetFact & {
    withdrawn_at: string
    requested_by: 'patient' | 'guardian' | 'representative'
    withdrawn_by: string
  }
  /** The patient asked a question. The text isn't included: receivers with permission request it. */
  'budget.question_asked': BudgetFact & { message_id: string, asked_at: string }
  /** The clinic answered a question. */
  'budget.question_answered': BudgetFact & { message_id: string, answered_at: string, answered_by: string }
}
