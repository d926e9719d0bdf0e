import type { Letterhead } from '@svc/sheet/sheet.ts'
import type { Notation, Place } from '../../shared/domain/teeth.ts'

export interface DocumentLine {
  name: string
  /** Where in the mouth. */
  place: Place
  /** For the patient, below the name. */
  note: string | null
  quantity: number
  /** Minor units. Shown struck through when it differs from `price`. */
  original_price: bigint
  price: bigint
}

export interface DocumentDecision {
  signer_name: string
  relationship: 'patient' | 'guardian' | 'representative'
  method: 'click' | 'typed' | 'drawn'
  /** PNG of a drawn signature. */
  image: Uint8Array | null
  decided_at: Date
  decided_via: 'remote_link' | 'in_clinic'
  /** Lower-case hex. */
  content_digest: string
  check_url: string
}

/**
 * Everything a budget's PDF shows: plain values, text already in the reader's language. Drawing it needs nothing else.
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
  /** When it was made; with `decision`, the file's date is the decision's. */
  dated_at: Date
  currency: string
  items: DocumentLine[]
  /** How the teeth of the lines are numbered. */
  tooth_notation: Notation
  /** The chart draws milk teeth too. */
  deciduous: boolean
  totals: { original: bigint, discount: bigint, tax: bigint, total: bigint }
  notes: string | null
  decision: DocumentDecision | null
}
