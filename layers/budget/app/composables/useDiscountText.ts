/** A discount as people of the page's language write it: `−7.5 %` or `−€20.00`. */
export function useDiscountText() {
  const { money: price, number } = useFormat()
  /** `"7.5"`: per cent. */
  const percentText = (percent: string) => number(Number(percent) / 100, { style: 'percent', maximumFractionDigits: 2 })
  const discountText = ({ type, value }: { type: 'percent' | 'amount', value: string }, currency: string) =>
    `\u2212${type === 'percent' ? percentText(value) : price(value, currency)}`
  return { percentText, discountText }
}
