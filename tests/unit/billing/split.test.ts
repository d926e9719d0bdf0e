import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sumParts, type Part } from '../../../layers/billing/shared/domain/credit.ts'
import { splitLine } from '../../../layers/billing/shared/domain/split.ts'

const LINE: Part = { quantity: 3, price: 10_000n, tax: 1736n }

describe('a split line', () => {
  it('moves as a whole without a quantity, and with all of it', () => {
    expect(splitLine(LINE)).toEqual({ moved: LINE, kept: null })
    expect(splitLine(LINE, 3)).toEqual({ moved: LINE, kept: null })
  })

  it('is rounded so that the last part takes the rest', () => {
    const first = splitLine(LINE, 1)!
    const second = splitLine(first.kept!, 1)!
    expect([first.moved, second.moved, second.kept].map(part => part?.price)).toEqual([3333n, 3334n, 3333n])
    expect(sumParts([first.moved, second.moved, second.kept!])).toEqual(LINE)
  })

  it('is refused beyond its quantity', () => {
    expect(splitLine(LINE, 4)).toBeNull()
  })

  it('adds up to the line, to the cent and to the cent of tax, however often its parts are split again', () => {
    const aLine = fc.tuple(fc.integer({ min: 1, max: 9 }), fc.nat(50_000), fc.integer({ min: 0, max: 100 }))
      .map(([quantity, cents, percent]): Part =>
        ({ quantity, price: BigInt(cents), tax: BigInt(Math.floor(cents * percent / 100)) }))
    const steps = fc.array(fc.record({ at: fc.nat(), quantity: fc.nat() }), { maxLength: 8 })
    fc.assert(fc.property(aLine, steps, (line, asked) => {
      const parts = [line]
      for (const { at, quantity } of asked) {
        const [taken] = parts.splice(at % parts.length, 1)
        const { moved, kept } = splitLine(taken!, 1 + quantity % taken!.quantity)!
        parts.push(moved, ...kept ? [kept] : [])
      }
      expect(sumParts(parts)).toEqual(line)
      expect(parts.filter(part => part.quantity < 1 || part.tax < 0n || part.tax > part.price)).toEqual([])
    }))
  })
})
