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
    ? totals.reduce((least, total) => (minorUnits(total) < minorUnits(least) ? total : least))
    : view.price_from ?? view.totals.total
}

/** Minor units. Amounts of one currency have the same number of decimals. */
export const minorUnits = (amount: string) => BigInt(amount.replace('.', ''))
