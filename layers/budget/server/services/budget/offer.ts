import { discountOf, type StoredDiscount } from '../../../shared/domain/discount.ts'
import type { PricedLine } from '../../../shared/domain/pricing.ts'
import {
  outermostSelections,
  priceSelection,
  type Choice,
  type Offer,
  type Selection
} from '../../../shared/domain/selection.ts'
import type { BudgetRow, ShownBudget } from '../../db/budgets.ts'
import type { SentItem } from '../../db/items.ts'

export type BudgetTotals = Pick<BudgetRow, 'original_total' | 'total' | 'tax_total'>
type Row = Pick<ShownBudget, 'choices' | 'prices_include_tax' | keyof StoredDiscount>
/** A stored line in the form that pricing needs. */
type Line<Item> = PricedLine & { item: Item, option_id: string | null }

/** A budget with choices for the patient. */
export type WithChoices<Budget> = Budget & { choices: Choice[] }
export const hasChoices = <Budget extends Pick<Row, 'choices'>>(budget: Budget): budget is WithChoices<Budget> =>
  budget.choices !== null

/** Converts rows into the offer that a selection is priced with. */
export function offerOf<Item extends SentItem>(budget: WithChoices<Row>, items: readonly Item[]): Offer<Line<Item>> {
  return {
    lines: items.map((item) => {
      const { option_id, unit_price, quantity, vat } = item
      return { item, option_id, unit_price, quantity, vat: BigInt(vat), discount: discountOf(item) }
    }),
    choices: budget.choices,
    global_discount: discountOf(budget),
    prices_include_tax: budget.prices_include_tax
  }
}

/** The chosen lines at their final prices, and the budget's resulting totals. */
export function takeSelection<Item extends SentItem>(
  budget: WithChoices<Row>,
  items: readonly Item[],
  selection: Selection
): { items: Item[], totals: BudgetTotals } {
  const { lines, prices } = priceSelection(offerOf(budget, items), selection)
  return {
    items: lines.map(({ item }, index) => {
      const { original_price, price, tax } = prices.items[index]!
      return { ...item, original_price, price, tax }
    }),
    totals: { original_total: prices.original_total, total: prices.total, tax_total: prices.tax_total }
  }
}

/** The lines that count: after an acceptance the selected ones, at their final prices; before that the base. */
export function agreedItems<Item extends SentItem>(
  budget: Row & Pick<ShownBudget, 'selection'>,
  items: readonly Item[]
): Item[] {
  if (!hasChoices(budget)) return [...items]
  return budget.selection
    ? takeSelection(budget, items, budget.selection).items
    : items.filter(({ option_id }) => option_id === null)
}

/** The budget as offered: without the selection, and with the totals of the cheapest one. */
export function asOffered<Budget extends Row & BudgetTotals & Pick<ShownBudget, 'selection'>>(
  budget: Budget,
  items: readonly SentItem[]
): Budget {
  if (!hasChoices(budget) || !budget.selection) return budget
  const { cheapest } = outermostSelections(offerOf(budget, items))
  return { ...budget, ...takeSelection(budget, items, cheapest).totals, selection: null }
}
