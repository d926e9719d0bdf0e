import type { Letterhead } from '@svc/sheet/sheet.ts'
import type { Discount } from '../../shared/domain/pricing.ts'
import type { Rule } from '../../shared/domain/selection.ts'
import type { Notation, Place } from '../../shared/domain/teeth.ts'

export interface DocumentLine {
  name: string
  /** The place in the mouth. */
  place: Place
  /** For the patient, printed below the name. */
  note: string | null
  quantity: number
  /** Minor units. Shown struck through when it differs from `price`. */
  original_price: bigint
  price: bigint
}

/** A choice for the patient. Prices are those before the discount on the total. */
export interface DocumentChoice {
  title: string
  rule: Rule
  options: {
    title: string
    description: string | null
    recommended: boolean
    /** The sum of its lines, in minor units. */
    price: bigint
    items: DocumentLine[]
    is_chosen: boolean
  }[]
}

export interface DocumentDecision {
  signer_name: string
  relationship: 'patient' | 'guardian' | 'representative'
  method: 'click' | 'typed' | 'drawn'
  /** PNG of a drawn signature. */
  image: Uint8Array | null
  decided_at: Date
  decided_via: 'remote_link' | 'in_clinic'
  /** The sentence that the patient agreed to; null in records of earlier releases. */
  consent: string | null
  /** Lower-case hex. */
  content_digest: string
  check_url: string
}

/**
 * Everything that a budget's PDF shows: plain values, with texts already in the reader's language. Drawing needs
 * nothing else.
 */
export interface BudgetDocument {
  /** BCP 47; decides labels, numbers and dates. */
  locale: string
  /** IANA name, of the clinic. */
  time_zone: string
  clinic: Letterhead
  number: string
  version: number
  status: 'draft' | 'sent' | 'accepted' | 'rejected' | 'expired' | 'cancelled' | 'superseded'
  patient_name: string
  professional_name: string | null
  professional_license: string | null
  /** `YYYY-MM-DD` */
  valid_until: string | null
  /** When it was created; with `decision`, the file's date is the decision's. */
  dated_at: Date
  currency: string
  /** With a decision, the chosen lines; otherwise those of every selection. */
  items: DocumentLine[]
  /** Empty if there is nothing to choose. */
  choices: DocumentChoice[]
  /**
   * Until something is chosen: the totals of the cheapest and the most expensive selection, and the discount on them.
   */
  range: { from: bigint, to: bigint, discount: Discount | null } | null
  /** How the teeth of the lines are numbered. */
  tooth_notation: Notation
  /** The chart also shows primary teeth. */
  deciduous: boolean
  totals: { original: bigint, discount: bigint, tax: bigint, total: bigint }
  notes: string | null
  /** Conditions that are part of the content. */
  clauses: { title: string, text: string }[]
  decision: DocumentDecision | null
}
