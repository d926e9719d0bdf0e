/** "from €45.00 to €60.00", or one price if both are the same, or if there is no second one. */
export function useRangeText() {
  const { t } = useI18n()
  const { money } = useFormat()
  return (from: string, to: string | null, currency?: string) =>
    to === null || to === from
      ? money(from, currency)
      : t('budget.choice.range', { from: money(from, currency), to: money(to, currency) })
}

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
  const { money } = useFormat()
  const rangeOf = useRangeText()
  return (budget: Totals, isAccepted = budget.selection != null): string => {
    const { price_from: from, price_to: to } = budget
    return from === undefined || to === undefined || isAccepted
      ? money(budget.total ?? budget.totals!.total, budget.currency)
      : rangeOf(from, to, budget.currency)
  }
}
