import { globalDiscount, grossOf, priceBudget, sum, type BudgetPrices, type Discount, type PricedLine } from './pricing.ts'

/** `exactly_one`: an answer is required. `at_most_one`: the patient may choose none of the options. */
export const RULES = ['exactly_one', 'at_most_one'] as const
export type Rule = (typeof RULES)[number]

/** A bundle of lines that the patient chooses as a whole. */
export interface Option {
  id: string
  title: string
  description: string | null
  /** The clinic's recommendation, which is only a label. */
  recommended: boolean
}

/** A question to the patient, with its possible answers in order. */
export interface Choice { id: string, title: string, rule: Rule, options: Option[] }

/** The answers, `{ "<choice id>": "<option id>" }`; null if none of the options is chosen. */
export type Selection = Record<string, string | null>

/** `option_id`: the line's option; null: the line is part of every selection. */
export interface OfferLine { option_id: string | null }

/** A budget as sent to the patient, ready to be priced. */
export interface Offer<Line extends PricedLine & OfferLine> {
  /** In order: the base, then the lines of each choice and option. */
  lines: readonly Line[]
  choices: readonly Choice[]
  global_discount: Discount | null
  prices_include_tax: boolean
}

/** The base and the lines of the chosen options, in the offer's order. */
export function chosenLines<Line extends OfferLine>(lines: readonly Line[], selection: Selection): Line[] {
  const chosen = new Set(Object.values(selection))
  return lines.filter(({ option_id }) => option_id === null || chosen.has(option_id))
}

/** The choices that still need an answer. */
export const unanswered = (choices: readonly Choice[], selection: Selection): Choice[] =>
  choices.filter(({ id, rule }) => rule === 'exactly_one' && (selection[id] ?? null) === null)

export interface SelectionPrices<Line> {
  /** The chosen lines, in the order of `prices.items`. */
  lines: Line[]
  prices: BudgetPrices
}

/**
 * The chosen lines at their final prices, computed as for a budget with only these lines. While answers are missing, a
 * global amount is capped at the sum. Throws the problem `discount_exceeds_total`.
 */
export function priceSelection<Line extends PricedLine & OfferLine>(
  offer: Offer<Line>,
  selection: Selection
): SelectionPrices<Line> {
  const lines = chosenLines(offer.lines, selection)
  const { prices_include_tax } = offer
  const global_discount = unanswered(offer.choices, selection).length > 0 ? capped(offer, lines) : offer.global_discount
  return { lines, prices: priceBudget({ items: lines, global_discount, prices_include_tax }) }
}

/**
 * For each option, the total if it were chosen and the rest of the selection stayed the same. Each line is processed
 * only once, however many options there are.
 */
export function totalsWith<Line extends PricedLine & OfferLine>(
  offer: Offer<Line>,
  selection: Selection
): Map<string, bigint> {
  const { base, ofOption } = grossByOption(offer)
  const taken = (answer: string | null | undefined) => answer == null ? 0n : ofOption.get(answer) ?? 0n
  const all = base + sum(offer.choices.map(({ id }) => taken(selection[id])))
  return new Map(
    offer.choices.flatMap(choice =>
      choice.options.map((option) => {
        const isComplete = unanswered(offer.choices, { ...selection, [choice.id]: option.id }).length === 0
        const gross = all - taken(selection[choice.id]) + taken(option.id)
        return [option.id, gross - discountOff(gross, offer.global_discount, isComplete)] as const
      })
    )
  )
}

/**
 * The cheapest and the most expensive complete selection; on a tie the first. A discount never reverses the order of
 * two sums, so each choice can be decided separately.
 */
export function outermostSelections<Line extends PricedLine & OfferLine>(
  offer: Offer<Line>
): { cheapest: Selection, dearest: Selection } {
  const { ofOption } = grossByOption(offer)
  const pick = (better: (one: bigint, best: bigint) => boolean) =>
    Object.fromEntries(
      offer.choices.map(({ id, rule, options }) => {
        const answers = [...(rule === 'at_most_one' ? [null] : []), ...options.map(option => option.id)]
        const grossOfAnswer = (answer: string | null) => answer === null ? 0n : ofOption.get(answer) ?? 0n
        return [id, answers.reduce((best, one) => better(grossOfAnswer(one), grossOfAnswer(best)) ? one : best)]
      })
    )
  return { cheapest: pick((one, best) => one < best), dearest: pick((one, best) => one > best) }
}

/** The sum of the lines of the base, and of each option, before the global discount. */
function grossByOption<Line extends PricedLine & OfferLine>({
  lines,
  prices_include_tax
}: Pick<Offer<Line>, 'lines' | 'prices_include_tax'>): { base: bigint, ofOption: Map<string, bigint> } {
  let base = 0n
  const ofOption = new Map<string, bigint>()
  for (const line of lines) {
    const gross = grossOf(line, prices_include_tax)
    if (line.option_id === null) base += gross
    else ofOption.set(line.option_id, (ofOption.get(line.option_id) ?? 0n) + gross)
  }
  return { base, ofOption }
}

function capped<Line extends PricedLine & OfferLine>(
  { global_discount, prices_include_tax }: Offer<Line>,
  lines: readonly Line[]
): Discount | null {
  if (global_discount?.type !== 'amount') return global_discount
  const gross = sum(lines.map(line => grossOf(line, prices_include_tax)))
  return { type: 'amount', value: global_discount.value < gross ? global_discount.value : gross }
}

const discountOff = (gross: bigint, discount: Discount | null, isComplete: boolean) =>
  !isComplete && discount?.type === 'amount' && discount.value > gross ? gross : globalDiscount(gross, discount)
