interface Totals {
  currency: string
  price_from?: string
  price_to?: string
  selection?: unknown
  total?: string
  totals?: { total: string }
}

/** A budget's total: one amount, or a range while its patient can still choose. */
export function useTotalText() {
  const { t } = useI18n()
  const { money } = useFormat()
  return (budget: Totals, isAccepted = budget.selection != null): string => {
    const price = (amount: string) => money(amount, budget.currency)
    const { price_from: from, price_to: to } = budget
    return from === undefined || to === undefined || isAccepted
      ? price(budget.total ?? budget.totals!.total)
      : t('budget.choice.range', { from: price(from), to: price(to) })
  }
}
