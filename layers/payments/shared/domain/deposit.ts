import { divideHalfUp } from '@svc/kit/money'

/** What a budget's condition states: a percentage, in hundredths of a percent, or an amount in minor units. */
export type DepositTerms = { from_total: bigint }
  & ({ percent: number, amount: null } | { percent: null, amount: bigint })

/**
 * The deposit of an accepted total, in minor units: the percentage is rounded half up to the currency's minor unit, and
 * no deposit is above the total. Zero: no deposit is due.
 */
export function depositOf(total: bigint, { percent, amount, from_total }: DepositTerms): bigint {
  if (total < from_total) return 0n
  const due = percent === null ? amount : divideHalfUp(total * BigInt(percent), 10_000n)
  return due < total ? due : total
}
