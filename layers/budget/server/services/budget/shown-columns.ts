import { formatMoney } from '@svc/kit/money'
import type { ShownBudget } from '../../db/budgets.ts'

/** The clinician when the draft was written. */
export const professionalOf = ({ professional_name: name, professional_license: license_number }: ShownBudget) =>
  name === null ? null : { name, ...license_number === null ? {} : { license_number } }

/** Only if true, in content, event and views. */
export const taxModeOf = ({ prices_include_tax }: Pick<ShownBudget, 'prices_include_tax'>) =>
  prices_include_tax ? { prices_include_tax } as const : {}

/** Only if there are any, in content and views. */
export const clausesOf = ({ clauses }: Pick<ShownBudget, 'clauses'>) => clauses?.length ? { clauses } : {}

/** Decimal text in the budget's currency; `discount` is the sum of all discounts. */
export type Totals = { original: string, discount: string, total: string, tax: string }

export function totalsOf({ original_total, total, tax_total, currency }: ShownBudget): Totals {
  const money = (minor: bigint) => formatMoney(minor, currency)
  return {
    discount: money(original_total - total),
    original: money(original_total),
    tax: money(tax_total),
    total: money(total)
  }
}
