/** Labels of prices, which say whether the price includes tax. */
export function usePriceLabels() {
  const { t } = useI18n()
  return {
    /** The label of a treatment's price. */
    price: (includesTax: boolean) => t(includesTax ? 'catalog.treatment.price_with_tax' : 'catalog.treatment.price'),
    /** A label for a formatted amount: "300.00 with tax". */
    amount: (amount: string, includesTax: boolean) =>
      t(includesTax ? 'catalog.treatment.with_tax' : 'catalog.treatment.without_tax', { amount }),
    /** Adds to another label: "Unit price, with tax". */
    labelled: (label: string, includesTax: boolean) =>
      t(includesTax ? 'catalog.label.with_tax' : 'catalog.label.without_tax', { label })
  }
}
