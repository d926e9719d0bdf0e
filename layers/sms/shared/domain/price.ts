import { displayMoney, divideHalfUp, exponent } from '@svc/kit/money'

/** A message costs parts of a cent, in millionths of the currency. A sum is shown in the currency's usual digits. */
export const displayPrice = (millionths: bigint, currency: string, locale: string): string =>
  displayMoney(divideHalfUp(millionths * 10n ** BigInt(exponent(currency)), 1_000_000n), currency, locale)
