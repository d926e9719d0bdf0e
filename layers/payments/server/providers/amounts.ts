/**
 * The same amount with another number of digits after the point; null if it needs more digits than that. Providers
 * count the digits of some currencies in their own way.
 */
export function rescale(amount: bigint, from: number, to: number): bigint | null {
  if (to >= from) return amount * 10n ** BigInt(to - from)
  const unit = 10n ** BigInt(from - to)
  return amount % unit === 0n ? amount / unit : null
}
