import type { PatientView, PriceAnswer } from '../../shared/contract.ts'

/** The reader's selection: by choice, the option's id or null. */
export type Answers = Record<string, string | null>
export type Choice = NonNullable<PatientView['choices']>[number]
type Offered = Pick<PatientView, 'items' | 'choices'>

/** Answers for exactly these choices. Kept answers are used if the budget still offers them; nothing is preselected. */
export const answersTo = (choices: readonly Choice[], kept: Answers = {}): Answers =>
  Object.fromEntries(choices.map(({ id, options }) => {
    const answer = kept[id] ?? null
    return [id, options.some(option => option.id === answer) ? answer : null]
  }))

/** The choices that need an answer before the budget can be accepted. */
export const openChoices = (choices: readonly Choice[], answers: Answers): Choice[] =>
  choices.filter(({ id, rule }) => rule === 'exactly_one' && (answers[id] ?? null) === null)

/** Whether nothing would be accepted: there are no base lines, and no option was chosen. */
export const takesNothing = ({ items }: Offered, answers: Answers): boolean =>
  items.length === 0 && Object.values(answers).every(answer => answer === null)

/**
 * The budget at the prices of a selection, which are in the order of the offer. Options that weren't chosen keep their
 * offered prices. `selection` and `content_digest` are null until the selection is complete.
 */
export function pricedView(view: PatientView, answers: Answers, prices: PriceAnswer): PatientView {
  let next = view.items.length
  const choices = view.choices?.map(choice => ({
    ...choice,
    options: choice.options.map((option) => {
      if (answers[choice.id] !== option.id) return option
      const items = prices.items.slice(next, next += option.items.length)
      return { ...option, items }
    })
  }))
  return {
    ...view,
    items: prices.items.slice(0, view.items.length),
    choices,
    selection: prices.complete ? answers : null,
    totals: {
      original: prices.original_total,
      discount: prices.discount_total,
      total: prices.total,
      tax: prices.tax_total
    },
    content_digest: prices.content_digest
  }
}

const isTaken = (view: PatientView, choice: Choice, option: { id: string }) =>
  view.selection?.[choice.id] === option.id

/** The lines that count: the base lines, then those of the chosen options. */
export const linesOf = (view: PatientView): PatientView['items'] => [
  ...view.items,
  ...(view.choices ?? []).flatMap(choice =>
    choice.options.flatMap(option => (isTaken(view, choice, option) ? option.items : []))
  )
]

/** The options that weren't chosen, once a selection is complete. */
export const notChosen = (view: PatientView) =>
  view.selection
    ? (view.choices ?? []).flatMap(choice =>
        choice.options
          .filter(option => !isTaken(view, choice, option))
          .map(option => ({ choice: choice.title, ...option }))
      )
    : []

/** The lowest and highest total while the patient can still choose. Null if there is a single total. */
export const priceRange = (view: PatientView) =>
  view.choices && !view.selection && view.price_from !== undefined && view.price_to !== undefined
    ? { from: view.price_from, to: view.price_to }
    : null

/**
 * The minimum total for the current selection. It is exact if one answer is missing; otherwise it is that of the
 * cheapest selection.
 */
export function leastTotal(view: PatientView, answers: Answers, prices: PriceAnswer | null): string {
  const open = openChoices(view.choices ?? [], answers)
  const totals = open.length === 1 && prices ? open[0]!.options.map(({ id }) => prices.with[id]!) : []
  return totals.length > 0
    ? totals.reduce((least, total) => (digits(total) < digits(least) ? total : least))
    : view.price_from ?? view.totals.total
}

/** Minor units. Amounts of one currency have the same number of decimals. */
const digits = (amount: string) => BigInt(amount.replace('.', ''))

/** The ids of a choice and one of its options. */
interface Taken { choice: string, option: string }

/**
 * The price on an option's card: the total with it, if that completes the selection, else what it adds or saves. Null
 * if the discount already covers the whole sum, because then we can't tell what the option adds.
 */
export function priceWith(
  choices: readonly Choice[],
  answers: Answers,
  prices: PriceAnswer,
  taken: Taken
): ['total_with' | 'adds' | 'saves', string] | null {
  const { choice, option } = taken
  const total = prices.with[option]
  if (!total) return null
  if (openChoices(choices, { ...answers, [choice]: option }).length === 0) return ['total_with', total]
  if (answers[choice] === option) return null
  const added = digits(total) - digits(prices.total)
  const isCovered = digits(total) === 0n
    || (digits(prices.total) === 0n && !(digits(prices.original_total) === 0n && isPercentage(choices, prices)))
  if (isCovered && added !== differenceBeforeDiscount(choices, answers, taken)) return null
  const text = String(added < 0n ? -added : added)
  return [added < 0n ? 'saves' : 'adds', withPoint(text, total.split('.')[1]?.length ?? 0)]
}

/**
 * Whether the discount on the total is a percentage. Only for a total of 0 before discounts: a fixed amount deducts the
 * same from every option, but a percentage doesn't.
 */
function isPercentage(choices: readonly Choice[], prices: PriceAnswer): boolean {
  const deductions = choices.flatMap(({ options }) => options).flatMap(({ id, price }) => {
    const total = digits(prices.with[id] ?? '0')
    return total === 0n ? [] : [digits(price) - total]
  })
  return new Set(deductions).size > 1
}

function differenceBeforeDiscount(choices: readonly Choice[], answers: Answers, { choice, option }: Taken): bigint {
  const options = choices.find(({ id }) => id === choice)?.options ?? []
  const priceOf = (wanted: string | null | undefined) => digits(options.find(({ id }) => id === wanted)?.price ?? '0')
  return priceOf(option) - priceOf(answers[choice])
}

function withPoint(minor: string, places: number): string {
  const text = minor.padStart(places + 1, '0')
  return places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`
}
