interface Totals {
  currency: string
  price_from?: string
  price_to?: string
  selection?: unknown
  total?: string
  totals?: { total: string }
}

/** What a budget comes to: one sum, or from–to while its patient can still choose. */
export function useTotalText() {
  const { t } = useI18n()
  const { money } = useFormat()
  return ({ currency, price_from, price_to, selection, total, totals }: Totals, isAccepted = selection != null): string =>
    price_from === undefined || price_to === undefined || isAccepted
      ? money(total ?? totals!.total, currency)
      : t('budget.choice.range', { from: money(price_from, currency), to: money(price_to, currency) })
}
