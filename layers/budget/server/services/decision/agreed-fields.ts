import { formatMoney } from '@svc/kit/money'
import { sum } from '../../../shared/domain/pricing.ts'
import type { Selection } from '../../../shared/domain/selection.ts'
import type { BudgetRow } from '../../db/budgets.ts'
import type { ItemRow } from '../../db/items.ts'
import { hasChoices, type WithChoices } from '../budget/offer.ts'
import { taxModeOf } from '../budget/shown-columns.ts'

export interface Agreed {
  /** With the totals of the accepted selection. */
  budget: BudgetRow
  /** The accepted lines, at their final prices. */
  items: ItemRow[]
  /** All lines that were sent. */
  offered: ItemRow[]
  content_digest: string
}

/** What an acceptance agrees on: in its event, and before it for guards. */
export function agreedFields({ budget, items, offered, content_digest }: Agreed) {
  const money = (minor: bigint) => formatMoney(minor, budget.currency)
  return {
    total: money(budget.total),
    currency: budget.currency,
    ...taxModeOf(budget),
    content_digest,
    items: items.map(item => ({
      item_id: item.id,
      treatment_id: item.treatment_id,
      code: item.code,
      quantity: item.quantity,
      price: money(item.price)
    })),
    ...(hasChoices(budget) && budget.selection ? chosenFields(budget, offered, budget.selection) : {})
  }
}

/** The selection, and each option that was not chosen, with the sum of its lines before the discount on the total. */
function chosenFields(budget: WithChoices<BudgetRow>, offered: ItemRow[], selection: Selection) {
  const totalOf = (id: string) => sum(offered.filter(({ option_id }) => option_id === id).map(({ price }) => price))
  const not_chosen = budget.choices.flatMap(choice =>
    choice.options
      .filter(({ id }) => selection[choice.id] !== id)
      .map(({ id, title }) => ({
        choice_id: choice.id,
        option_id: id,
        title,
        total: formatMoney(totalOf(id), budget.currency)
      }))
  )
  return { selection, not_chosen }
}
