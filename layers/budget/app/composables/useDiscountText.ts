/** Formats a discount for the page's language: `−7.5 %` or `−€20.00`. */
export function useDiscountText() {
  const { money: price, rate } = useFormat()
  return ({ type, value }: { type: 'percent' | 'amount', value: string }, currency: string) =>
    `\u2212${type === 'percent' ? rate(value) : price(value, currency)}`
}
