import { convertPrice, formatMoney, parseMoney, parsePercent } from '@svc/kit/money'

interface PricedTreatment { unit_price: string, vat: string, prices_include_tax?: true }

/** The catalog's price converted to the budget's mode, with or without tax. */
export function usualPrice(
  { unit_price, vat, prices_include_tax }: PricedTreatment,
  { currency, to_include_tax }: { currency: string, to_include_tax: boolean }
): string {
  const [price, rate] = [parseMoney(unit_price, currency), parsePercent(vat)]
  if ((prices_include_tax ?? false) === to_include_tax || price === null || rate === null) return unit_price
  return formatMoney(convertPrice(price, { vat: rate, to_include_tax }), currency)
}
