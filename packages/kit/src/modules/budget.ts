import type { Tx } from '../database.ts'
import type { ClausesAt } from '../reach/clauses.ts'
import type { SectionAt } from '../reach/sections.ts'

export type * from './budget-events.ts'
export type * from './budget-steps.ts'

export type BudgetStatus = 'draft' | 'sent' | 'accepted' | 'rejected' | 'expired' | 'cancelled' | 'superseded'

/** What `ctx.use('budget')` returns. */
export interface Budgets {
  /** Null if the id is unknown, malformed, or another clinic's. With `tx` it reads through that transaction. */
  getBudget (clinic_id: string, id: string, tx?: Tx): Promise<PricedBudget | null>
  /**
   * Results of the budgets sent in a period: months without budgets are omitted, and the last row is the whole period.
   */
  acceptance (period: Period): Promise<{ months: SentMonth[], reasons: RejectionReason[] }>
  /** Budgets that were accepted in a period and not withdrawn since, by number. */
  acceptedIn (span: AcceptedIn): Promise<AcceptedBudget[]>
  /** Budgets that wait for their patient's decision, the longest waiting first. */
  listOpen (clinic_id: string, query: OpenQuery): Promise<{ rows: OpenBudget[], total: number }>
  /**
   * The address of the patient's page of an open budget; null for any other. A person who has it and the code can
   * decide, so this needs `"grants": ["budget.link"]` in the manifest: otherwise it throws `grant_missing`.
   */
  linkOf (clinic_id: string, id: string): Promise<string | null>
  /** The keys that no budget has. */
  findMissing (keys: BudgetKey[]): Promise<BudgetKey[]>
  /** Adds a withdrawn budget with an invoice to the attention list, or removes it. */
  markWithdrawnInvoiced (key: BudgetKey, is_invoiced: boolean): Promise<void>
  /** The same for the withdrawn or cancelled budget of a number, whose advances have a balance. */
  markWithdrawnPaid (tx: Tx, key: { clinic_id: string, number: string }, is_paid: boolean): Promise<void>
}

export interface BudgetKey { clinic_id: string, id: string }

/** Money in minor units of `currency`; `vat` in hundredths of a percent. */
export interface PricedBudget {
  id: string
  number: string
  version: number
  /** `expired` from the end of the last valid day. */
  status: BudgetStatus
  patient: { id: string, first_name: string, last_name: string }
  professional: { id: string, name: string } | null
  currency: string
  locale: string
  total: bigint
  tax_total: bigint
  decided_at: Date | null
  /** When the acceptance was withdrawn; the status stays `accepted`. */
  withdrawn_at: Date | null
  /** Id of the staff member who recorded it. */
  withdrawn_by: string | null
  /** After an acceptance only the lines that the patient chose. */
  items: {
    id: string
    treatment_id: string
    code: string
    /** Texts by language. */
    name: Record<string, string>
    quantity: number
    vat: number
    price: bigint
    tax: bigint
    /** When it was done, `YYYY-MM-DD`, as the staff recorded it after the acceptance. */
    done_on: string | null
  }[]
}

/** A sent version that the patient can still decide on. Money in minor units of `currency`. */
export interface OpenBudget {
  id: string
  number: string
  version: number
  patient: { id: string, first_name: string, last_name: string }
  currency: string
  locale: string
  /** In a budget with choices, of the cheapest selection. */
  total: bigint
  sent_at: Date
  /** The last day, `YYYY-MM-DD`; it ends at `expires_at`. */
  valid_until: string | null
  expires_at: Date | null
}

/** Pages from 1. */
export interface OpenQuery { patient_id?: string, page: number, page_size: number }

export interface AcceptedBudget { id: string, clinic_id: string, number: string, decided_at: Date }
/** For one clinic, or for all; `to` is exclusive. */
export interface AcceptedIn { clinic_id?: string, from: Date, to: Date }

/** Days are inclusive, in the given zone. */
export interface Period { clinic_id: string, from: string, to: string, time_zone: string }
/** Budgets sent in the month. Amounts are in minor units of the clinic's currency. */
export interface SentMonth {
  /** `YYYY-MM`; null for the whole period. */
  month: string | null
  sent: number
  viewed: number
  accepted: number
  rejected: number
  sent_amount: bigint
  accepted_amount: bigint
  /** Accepted and then withdrawn: not part of `accepted_amount`. */
  withdrawn: number
  withdrawn_amount: bigint
  /**
   * For budgets with choices: the totals of the most expensive selections, and the accepted amounts of these budgets.
   */
  offered_amount: bigint
  taken_amount: bigint
  /** From sending to decision; null if nothing was decided. */
  median_hours: number | null
}
export interface RejectionReason { reason_code: string | null, count: number }

/** `at` in `public_sections['budget.patient']`: sections of the patient's page. */
export interface PatientPageAt extends SectionAt {
  budget_id: string
  version: number
  /** `expired` from the end of the last valid day. */
  state: BudgetStatus
}

/** `at` in `clauses['budget.content']`: conditions of a budget. Money is decimal text of `currency`. */
export interface BudgetContentAt extends ClausesAt {
  budget_id: string
  number: string
  version: number
  patient_id: string
  currency: string
  /** If the patient can choose: that of the cheapest selection. */
  total: string
  /** Totals of the cheapest and the most expensive selection; null if there is nothing to choose. */
  price_from: string | null
  price_to: string | null
  /** `YYYY-MM-DD`; null in the preview of a draft without one. */
  valid_until: string | null
}

/** `request.session` of an endpoint with `access: 'budget.link'`: the patient's page of one budget. */
export interface PatientPageSession { clinic_id: string, budget_id: string, patient_id: string, version: number }
