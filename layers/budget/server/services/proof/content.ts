import { hash } from 'node:crypto'
import { formatMoney } from '@svc/kit/money'
import canonicalize from 'canonicalize'
import type { ShownBudget } from '../../db/budgets.ts'
import type { ContentItem, SentItem } from '../../db/items.ts'
import type { Choice, Option, Selection } from '../../../shared/domain/selection.ts'
import type { Texts } from '../../../shared/domain/texts.ts'
import { isNowhere, placeOf, type Area, type Notation, type Surface } from '../../../shared/domain/teeth.ts'
import { namesTeeth } from '../draft/place.ts'
import { agreedItems, hasChoices, type WithChoices } from '../draft/offer.ts'

/** What is decided on, whole and independent of the reader's language. Money is decimal text of `currency`. */
export interface PricedContent {
  number: string
  version: number
  clinic: { name: string }
  patient: { first_name: string, last_name: string }
  /** The number of the licence only where there is one, so that earlier contents keep their digests. */
  professional: { name: string, license_number?: string } | null
  currency: string
  /** Absent when they do not, as in contents from before there were any that do. */
  prices_include_tax?: true
  valid_until: string | null
  /** Where the patient chooses: of a selection its lines at their final prices, else those of every selection. */
  items: ContentLine[]
  totals: { original: string, discount: string, total: string, tax: string }
  patient_notes: string | null
  /** How people read the teeth; only where a line names one. */
  tooth_notation?: Notation
  /** All that was sent, where the patient chooses. Prices are those before the discount on the total. */
  offer?: {
    items: ContentLine[]
    choices: (Omit<Choice, 'options'> & { options: (Option & { items: ContentLine[] })[] })[]
    price_from: string
    price_to: string
  }
  /** What was accepted of the offer. */
  selection?: Selection
}

export interface ContentLine {
  code: string
  name: Texts
  description: Texts
  /** Of a line that names no place, and in contents from before teeth were data. */
  tooth?: string | null
  /** A text in contents from before teeth were data. */
  surfaces: Surface[] | string | null
  /** FDI codes. These three are only of a line that names a place. */
  teeth?: string[]
  area?: Area | null
  site?: string | null
  /** Only of a line that has one, so that earlier contents keep their digests. */
  note?: string
  quantity: number
  original_price: string
  price: string
}

/**
 * As it stands now, under the name that the clinic had at the sending; of a decided budget the stored content of its
 * signature record counts, not this.
 */
export function contentOf(budget: ShownBudget, items: SentItem[], clinicName: string): PricedContent {
  const toLine = lineIn(budget.currency)
  return {
    number: budget.number,
    version: budget.version,
    clinic: { name: budget.clinic_name ?? clinicName },
    patient: { first_name: budget.patient_first_name, last_name: budget.patient_last_name },
    professional: professionalOf(budget),
    currency: budget.currency,
    ...taxModeOf(budget),
    valid_until: budget.valid_until,
    items: agreedItems(budget, items).map(toLine),
    totals: totalsOf(budget),
    patient_notes: budget.patient_notes,
    ...(budget.tooth_notation && namesTeeth(items) ? { tooth_notation: budget.tooth_notation } : {}),
    ...(hasChoices(budget) ? { offer: offerIn(budget, items) } : {}),
    ...(budget.selection ? { selection: budget.selection } : {})
  }
}

/** Of a line without a place as ever, so that earlier contents keep their digests. */
function placeIn(item: ContentItem): Pick<ContentLine, 'tooth' | 'surfaces' | 'teeth' | 'area' | 'site'> {
  const { tooth, surfaces, teeth, tooth_surfaces, area, site } = item
  const place = placeOf({ teeth, surfaces: tooth_surfaces, area, site })
  return isNowhere(place) ? { tooth, surfaces } : { ...place }
}

const lineIn = (currency: string) => (item: ContentItem): ContentLine => ({
  code: item.code,
  name: item.name,
  description: item.description,
  ...placeIn(item),
  ...(item.note === null ? {} : { note: item.note }),
  quantity: item.quantity,
  original_price: formatMoney(item.original_price, currency),
  price: formatMoney(item.price, currency)
})

function offerIn(
  { choices, currency, price_from, price_to }: WithChoices<ShownBudget>,
  items: SentItem[]
): NonNullable<PricedContent['offer']> {
  const linesOf = (id: string | null) => items.filter(({ option_id }) => option_id === id).map(lineIn(currency))
  return {
    items: linesOf(null),
    choices: choices.map(choice => ({
      ...choice,
      options: choice.options.map(option => ({ ...option, items: linesOf(option.id) }))
    })),
    price_from: formatMoney(price_from ?? 0n, currency),
    price_to: formatMoney(price_to ?? 0n, currency)
  }
}

/** Who the clinician was when the draft was written. */
export const professionalOf = ({ professional_name: name, professional_license: license_number }: ShownBudget) =>
  name === null ? null : { name, ...license_number === null ? {} : { license_number } }

/** Content, event and views carry it only where it is true. */
export const taxModeOf = ({ prices_include_tax }: Pick<ShownBudget, 'prices_include_tax'>) =>
  prices_include_tax ? { prices_include_tax } as const : {}

/** Decimal text of the budget's currency; `discount` is all that was taken off. */
export function totalsOf({ original_total, total, tax_total, currency }: ShownBudget): PricedContent['totals'] {
  const money = (minor: bigint) => formatMoney(minor, currency)
  return {
    discount: money(original_total - total),
    original: money(original_total),
    tax: money(tax_total),
    total: money(total)
  }
}

/** The content as RFC 8785 JSON, so that equal contents have equal bytes, and its SHA-256 in lower-case hex. */
export function digestContent(
  budget: ShownBudget,
  items: SentItem[],
  clinicName: string
): { text: string, digest: string } {
  const text = canonicalize(contentOf(budget, items, clinicName))!
  return { text, digest: hash('sha256', text) }
}
