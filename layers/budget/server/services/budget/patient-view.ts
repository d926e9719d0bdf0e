import type { Clinic } from '@svc/kit'
import { formatMoney } from '@svc/kit/money'
import type { PatientView } from '../../../shared/contract.ts'
import type { ShownBudget } from '../../db/budgets.ts'
import type { ContentItem, SentItem } from '../../db/items.ts'
import { statusAt } from '../../../shared/domain/budget-state.ts'
import { sum } from '../../../shared/domain/pricing.ts'
import type { Choice, Option, Selection } from '../../../shared/domain/selection.ts'
import { isNowhere, type Notation } from '../../../shared/domain/teeth.ts'
import { textIn } from '../../../shared/domain/texts.ts'
import { endOfDay } from '../../../shared/domain/validity.ts'
import { hasChoices, takeSelection } from './offer.ts'
import { namesTeeth, shownPlace } from './place.ts'
import { clausesOf, professionalOf, taxModeOf, totalsOf } from './shown-columns.ts'

export interface PatientViewInput {
  budget: ShownBudget
  items: SentItem[]
  clinic: Clinic
  /** See `notationOf`; may be null if no line names a tooth. */
  notation: Notation | null
  /** For a decided budget: data from its signature record. */
  decision: { signer_name: string, reason: string | null, content_digest: string } | null
  /** Of the content in the rows. */
  digest: string
  /** The database's time. */
  now: Date
  /** The reader's language; defaults to the budget's own. */
  locale?: string
}

/** The patient's view, member by member: the page, the staff's preview and the detail show only this. */
export function patientView({
  budget,
  items,
  clinic,
  notation,
  decision,
  digest,
  now,
  locale = budget.locale
}: PatientViewInput): PatientView {
  return {
    number: budget.number,
    version: budget.version,
    status: statusAt(budget, now),
    clinic: { ...clinicCard(clinic), name: budget.clinic_name ?? clinic.name },
    patient: { first_name: budget.patient_first_name, last_name: budget.patient_last_name },
    professional: professionalOf(budget),
    currency: budget.currency,
    ...taxModeOf(budget),
    locale,
    time_zone: budget.time_zone,
    valid_until: budget.valid_until,
    expires_at: endOf(budget)?.toISOString() ?? null,
    ...shownLines(budget, items, item => patientItem(item, budget, locale)),
    totals: totalsOf(budget),
    ...teethIn(budget, items, notation),
    patient_notes: budget.patient_notes,
    ...clausesOf(budget),
    viewed_at: budget.viewed_at?.toISOString() ?? null,
    decision: decisionOf(budget, decision),
    ...budget.withdrawn_at ? { withdrawn_at: budget.withdrawn_at.toISOString() } : {},
    signed_pdf: { status: budget.signed_pdf_status, sha256: budget.signed_pdf_sha256 },
    content_digest: decision?.content_digest ?? (budget.choices ? null : digest)
  }
}

/** Lines as a reader sees them, and choices with such lines. */
interface ShownLines<Line> {
  items: Line[]
  choices?: (Omit<Choice, 'options'> & { options: (Option & { price: string, items: Line[] })[] })[]
  price_from?: string
  price_to?: string
  selection?: Selection | null
}

/**
 * Without choices, all lines; otherwise those of every selection, and the choices with theirs. After an acceptance,
 * only the selected lines at their final prices.
 */
export function shownLines<Item extends SentItem, Line>(
  budget: ShownBudget,
  items: Item[],
  show: (item: Item) => Line
): ShownLines<Line> {
  if (!hasChoices(budget)) return { items: items.map(show) }
  const { choices, selection, currency, price_from, price_to } = budget
  const shown = selection ? takeSelection(budget, items, selection).items : items
  const linesOf = (id: string | null) => shown.filter(({ option_id }) => option_id === id).map(show)
  const before = (id: string) => sum(items.filter(({ option_id }) => option_id === id).map(({ price }) => price))
  return {
    items: linesOf(null),
    choices: choices.map(choice => ({
      ...choice,
      options: choice.options.map(option => ({
        ...option,
        price: formatMoney(before(option.id), currency),
        items: linesOf(option.id)
      }))
    })),
    price_from: formatMoney(price_from ?? 0n, currency),
    price_to: formatMoney(price_to ?? 0n, currency),
    selection
  }
}

/** What anyone who has the link may see of the clinic. */
export const clinicCard = ({ name, phone, email, address, logo_url }: Clinic): PatientView['clinic'] => ({
  name,
  phone,
  email,
  address,
  logo_url
})

/** The data for a chart; empty if no line names a tooth. */
function teethIn(
  budget: ShownBudget,
  items: SentItem[],
  notation: Notation | null
): Pick<PatientView, 'tooth_notation' | 'deciduous'> {
  if (notation === null || !namesTeeth(items)) return {}
  return {
    tooth_notation: notation,
    ...budget.deciduous ? { deciduous: true } : {}
  }
}

/** A line without a place keeps its original form. */
function placeIn(item: ContentItem): Pick<PatientView['items'][number], 'tooth' | 'surfaces' | 'teeth' | 'area' | 'site'> {
  const place = shownPlace(item)
  return { tooth: null, surfaces: null, ...isNowhere(place) ? {} : place }
}

export function patientItem(
  item: ContentItem,
  { currency, locale: own }: ShownBudget,
  locale: string
): PatientView['items'][number] {
  return {
    name: textIn(item.name, locale, own),
    description: textIn(item.description, locale, own) || null,
    ...placeIn(item),
    ...(item.note === null ? {} : { note: item.note }),
    quantity: item.quantity,
    original_price: formatMoney(item.original_price, currency),
    price: formatMoney(item.price, currency),
    discounted: item.original_price !== item.price
  }
}

/** Set when it is sent; for a draft, the end that it would have. */
function endOf({ expires_at, valid_until, time_zone }: ShownBudget): Date | null {
  return expires_at ?? (valid_until === null ? null : endOfDay(valid_until, time_zone))
}

/** The decision and who made it; null while the budget is open. */
export function decisionOf(
  budget: ShownBudget,
  decision: Pick<NonNullable<PatientViewInput['decision']>, 'signer_name' | 'reason'> | null
): PatientView['decision'] {
  if (!decision || !budget.decided_at) return null
  // A rejected version keeps its decision when a newer one replaces it.
  const status = budget.status === 'accepted' ? 'accepted' : 'rejected'
  return {
    status,
    decided_at: budget.decided_at.toISOString(),
    signer_name: decision.signer_name,
    reason: decision.reason
  }
}
