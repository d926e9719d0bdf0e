import { describe, expect, it } from 'vitest'
import { nextPart, sumParts, type Part } from '../../../layers/billing/shared/domain/credit.ts'

const NONE: Part = { quantity: 0, price: 0n, tax: 0n }
const LINE: Part = { quantity: 3, price: 10_000n, tax: 1736n }

describe('the next part of a line', () => {
  it('is all that is left of it, if neither a quantity nor an amount is asked for', () => {
    expect(nextPart(LINE, NONE, {})).toEqual(LINE)
    expect(nextPart(LINE, { quantity: 1, price: 3333n, tax: 578n }, {}))
      .toEqual({ quantity: 2, price: 6667n, tax: 1158n })
  })

  it('is rounded so that the last one takes the rest', () => {
    const parts: Part[] = []
    for (let n = 0; n < 3; n++) parts.push(nextPart(LINE, sumParts(parts), { quantity: 1 })!)
    expect(parts.map(({ price }) => price)).toEqual([3333n, 3334n, 3333n])
    expect(sumParts(parts)).toEqual(LINE)
  })

  it('can be an amount, which counts no quantity', () => {
    expect(nextPart(LINE, NONE, { amount: 5000n })).toEqual({ quantity: 0, price: 5000n, tax: 868n })
  })

  it('is null beyond the quantity or the price that is left', () => {
    expect(nextPart(LINE, NONE, { quantity: 4 })).toBeNull()
    expect(nextPart(LINE, NONE, { amount: 10_001n })).toBeNull()
    expect(nextPart(LINE, { quantity: 0, price: 9000n, tax: 1562n }, { quantity: 1 })).toBeNull()
    expect(nextPart(LINE, LINE, { quantity: 1 })).toBeNull()
  })

  it('adds up to the line, to the cent and to the cent of tax, for random lines and parts', () => {
    const random = aRandom(33)
    for (let round = 0; round < 3000; round++) {
      const price = BigInt(Math.floor(random() * 50_000))
      const tax = BigInt(Math.floor(random() * (Number(price) + 1)))
      const line = { quantity: 1 + Math.floor(random() * 7), price, tax }
      const parts: Part[] = []
      for (let step = 0; step < 6; step++) {
        const request = random() < 0.5 ? { quantity: 1 } : { amount: BigInt(Math.floor(random() * 20_000)) }
        const part = nextPart(line, sumParts(parts), request)
        if (part) parts.push(part)
        if (random() < 0.2) parts.splice(Math.floor(random() * parts.length), 1) // a draft is cancelled
      }
      parts.push(nextPart(line, sumParts(parts), {})!)
      expect(sumParts(parts)).toEqual(line)
      expect(parts.filter(part => part.tax < 0n || part.tax > part.price)).toEqual([])
    }
  })
})

/** The same numbers in each run (mulberry32). */
function aRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6D2B79F5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
