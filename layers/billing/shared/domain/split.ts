import { leftOf, nextPart, type Part } from './credit.ts'

const NOTHING: Part = { quantity: 0, price: 0n, tax: 0n }

/** A line, cut into what goes to the new draft and what stays; null if the whole line goes. */
export interface Split { moved: Part, kept: Part | null }

/**
 * Splits a quantity off a line, by default all of it. Price and tax of the part are rounded, and what stays takes the
 * rest, so that both add up to the line. Null if the line has less than this quantity.
 */
export function splitLine({ quantity: all, price, tax }: Part, quantity: number = all): Split | null {
  const line = { quantity: all, price, tax }
  if (quantity > line.quantity) return null
  if (quantity === line.quantity) return { moved: line, kept: null }
  const moved = nextPart(line, NOTHING, { quantity })!
  return { moved, kept: leftOf(line, moved) }
}
