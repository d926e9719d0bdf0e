/** Amounts in minor units. `price` includes `tax`. */
export interface Part { quantity: number, price: bigint, tax: bigint }

/** What to take off a line: a quantity, an amount, or without both all that is left. */
export interface PartRequest { quantity?: number, amount?: bigint }

export const leftOf = (line: Part, taken: Part): Part => ({
  quantity: line.quantity - taken.quantity,
  price: line.price - taken.price,
  tax: line.tax - taken.tax
})

export const sumParts = (parts: readonly Part[]): Part => parts.reduce((sum, { quantity, price, tax }) => ({
  quantity: sum.quantity + quantity,
  price: sum.price + price,
  tax: sum.tax + tax
}), { quantity: 0, price: 0n, tax: 0n })

/**
 * The next part of a line of which `taken` is used already. Prices and taxes of parts are rounded so that they add up:
 * the last part takes the rest. A part by amount has the quantity 0. Null if less than that is left.
 */
export function nextPart(line: Part, taken: Part, { quantity, amount }: PartRequest): Part | null {
  const left = leftOf(line, taken)
  const price = amount ?? (quantity === undefined ? left.price : priceOf(line, taken, quantity))
  const counted = quantity ?? (amount === undefined ? left.quantity : 0)
  if (price > left.price || counted > left.quantity) return null
  return { quantity: counted, price, tax: taxOf(line, taken, price) }
}

/** The last quantity takes what is left of the price. */
function priceOf(line: Part, taken: Part, quantity: number): bigint {
  const after = taken.quantity + quantity
  if (after === line.quantity) return line.price - taken.price
  const share = (part: number) => divide(line.price * BigInt(part), BigInt(line.quantity))
  return share(after) - share(taken.quantity)
}

/** The last part of the price takes what is left of the tax. */
function taxOf(line: Part, taken: Part, price: bigint): bigint {
  const left = line.tax - taken.tax
  if (line.price === 0n || taken.price + price === line.price) return left
  const tax = divide(line.tax * (taken.price + price), line.price) - taken.tax
  const least = tax < 0n ? 0n : tax
  const most = left < price ? left : price
  return least > most ? most : least
}

/** Rounds half up. */
const divide = (value: bigint, by: bigint): bigint => (2n * value + by) / (2n * by)
