import type { BudgetFact } from './budget-events.ts'

interface Price {
  total: string
  currency: string
  /** Absent if unit prices are without tax; the prices here always include it. */
  prices_include_tax?: true
}

/** How the patient decides, and the language of the page, in which a refusal is read. */
interface Decision { via: 'remote_link' | 'in_clinic', locale: string }

/**
 * Payloads of the decisions that other modules may refuse. Instants are ISO 8601 with Z, money is decimal text of
 * `currency`.
 */
export interface BudgetSteps {
  /** A draft is sent to its patient. */
  'budget.send': BudgetFact & Price & { channel: string, valid_until: string, locale: string }
  /** The patient accepts a budget. */
  'budget.accept': BudgetFact & Price & Decision & {
    content_digest: string
    items: { item_id: string, treatment_id: string, code: string, quantity: number, price: string }[]
    /** If the patient chose: option ids by choice id, and the options not chosen. `items` has only the chosen lines. */
    selection?: Record<string, string | null>
    not_chosen?: { choice_id: string, option_id: string, title: string, total: string }[]
  }
  /** The patient declines a budget. */
  'budget.reject': BudgetFact & Decision & { reason_code: string | null }
  /** An acceptance is withdrawn for the patient. */
  'budget.withdraw': BudgetFact & {
    decided_at: string | null
    requested_by: 'patient' | 'guardian' | 'representative'
  }
}
