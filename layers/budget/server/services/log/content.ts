import { hash } from 'node:crypto'
import type { ModuleClause } from '@svc/kit'
import { formatMoney } from '@svc/kit/money'
import canonicalize from 'canonicalize'
import type { ShownBudget } from '../../db/budgets.ts'
import type { ContentItem, SentItem } from '../../db/items.ts'
import type { Choice, Option, Selection } from '../../../shared/domain/selection.ts'
import type { Texts } from '../../../shared/domain/texts.ts'
import { isNowhere, placeOf, type Area, type Notation, type Surface } from '../../../shared/domain/teeth.ts'
import { namesTeeth } from '../budget/place.ts'
import { agreedItems, hasChoices, type WithChoices } from '../budget/offer.ts'
import { clausesOf, professionalOf, taxModeOf, totalsOf, type Totals } from '../budget/shown-columns.ts'

/** The complete content of a decision, independent of the reader's language. Money is decimal text of `currency`. */
export interface PricedContent {
  number: string
  version: number
  clinic: { name: string }
  patient: { first_name: string, last_name: string }
  /** The licence number only if there is one, so that earlier contents keep their digests. */
  professional: { name: string, license_number?: string } | null
  currency: string
  /** Absent if prices do not include tax, as in contents from before the setting existed. */
  prices_include_tax?: true
  valid_until: string | null
  /** If the patient can choose: the lines of a selection at their final prices, otherwise those of every selection. */
  items: ContentLine[]
  totals: Totals
  patient_notes: string | null
  /** How people read tooth numbers; only if a line names a tooth. */
  tooth_notation?: Notation
  /** Everything that was sent, if the patient can choose. Prices are those before the discount on the total. */
  offer?: {
    items: ContentLine[]
    choices: (Omit<Choice, 'options'> & { options: (Option & { items: ContentLine[] })[] })[]
    price_from: string
    price_to: string
  }
  /** The accepted part of the offer. */
  selection?: Selection
  /** The conditions that modules gave when the budget was sent; only if there are any. */
  clauses?: ModuleClause[]
}

export interface ContentLine {
  code: string
  name: Texts
  description: Texts
  /** Only for a line without a place, and in contents from before teeth were structured data. */
  tooth?: string | null
  /** A text in contents from before teeth were structured data. */
  surfaces: Surface[] | string | null
  /** FDI codes. These three fields only for a line with a place. */
  teeth?: string[]
  area?: Area | null
  site?: string | null
  /** Only if the line has one, so that earlier contents keep their digests. */
  note?: string
  quantity: number
  original_price: string
  price: string
}

/**
 * The current content, with the clinic's name when it was sent. For a decided budget, the content stored in its
 * signature record counts instead.
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
    ...(budget.selection ? { selection: budget.selection } : {}),
    ...clausesOf(budget)
  }
}

/** A line without a place keeps its original form, so that earlier contents keep their digests. */
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

/** The content as RFC 8785 JSON, so that equal contents have equal bytes, and its SHA-256 in lower-case hex. */
export function digestContent(
  budget: ShownBudget,
  items: SentItem[],
  clinicName: string
): { text: string, digest: string } {
  const text = canonicalize(contentOf(budget, items, clinicName))!
  return { text, digest: hash('sha256', text) }
}
