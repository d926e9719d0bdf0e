/** Says of every price whether it is with tax. */
export function usePriceLabels() {
  const { t } = useI18n()
  return {
    /** The label of a treatment's price. */
    price: (includesTax: boolean) => t(includesTax ? 'catalog.treatment.price_with_tax' : 'catalog.treatment.price'),
    /** An amount that is written already: "300.00 with tax". */
    amount: (amount: string, includesTax: boolean) =>
      t(includesTax ? 'catalog.treatment.with_tax' : 'catalog.treatment.without_tax', { amount }),
    /** Another label: "Unit price, with tax". */
    labelled: (label: string, includesTax: boolean) =>
      t(includesTax ? 'catalog.label.with_tax' : 'catalog.label.without_tax', { label })
  }
}
