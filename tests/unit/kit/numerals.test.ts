import fc from 'fast-check'
import { joinDigits, toDecimalText, toLatinDigits, toPlainDigits } from '@svc/kit/numerals'
import { day, decimal, digits } from '@svc/kit/schemas'
import { describe, expect, test } from 'vitest'

/** The ten digits of every numbering system that the platform writes, from its own tables. */
const systems = Intl.supportedValuesOf('numberingSystem').flatMap((system) => {
  const format = new Intl.NumberFormat('en', { numberingSystem: system, useGrouping: false })
  const ten = Array.from({ length: 10 }, (_, n) => format.format(n))
  return ten.every(digit => /^\p{Nd}$/u.test(digit)) ? [{ system, ten }] : []
})
const write = (number: string, ten: string[]) => [...number].map(digit => ten[Number(digit)]).join('')

describe('digits of any script are read', () => {
  test('in the many numbering systems of the platform', () => expect(systems.length).toBeGreaterThan(60))

  test.each(systems)('in $system as Latin digits', ({ ten }) =>
    expect(toLatinDigits(ten.join(''))).toBe('0123456789'))

  test('for every decimal digit of Unicode', () => {
    for (let point = 0; point <= 0x10FFFF; point++) {
      const character = String.fromCodePoint(point)
      if (/\p{Nd}/u.test(character)) expect(toLatinDigits(character)).toMatch(/^\d$/)
    }
  })

  const number = fc.stringMatching(/^\d{1,12}$/)
  const script = fc.constantFrom(...systems).map(({ ten }) => ten)
  const blanks = fc.constantFrom('', ' ', '\u00A0', '\u202F', '-', '–', '\u2011', '.', '\u200B', '\u200F', '\u202C', '٬')
  test('in a code, with any separators', () => {
    fc.assert(
      fc.property(number, script, fc.array(blanks, { minLength: 13, maxLength: 13 }), (plain, ten, between) => {
        const typed = [...plain].map((digit, at) => between[at] + write(digit, ten)).join('') + between[12]
        expect(joinDigits(typed)).toBe(plain)
      }),
      { numRuns: 300 }
    )
  })

  test('in an amount and a date of the API', () => {
    fc.assert(
      fc.property(number, fc.integer({ min: 0, max: 99 }), script, (plain, cents, ten) => {
        const fraction = String(cents).padStart(2, '0')
        expect(toDecimalText(` ${write(plain, ten)}.${write(fraction, ten)}\u200F `)).toBe(`${plain}.${fraction}`)
      })
    )
    fc.assert(
      fc.property(fc.date({ min: new Date('1000-01-01'), max: new Date('2999-12-31'), noInvalidDate: true }), script,
        (at, ten) => {
          const text = at.toISOString().slice(0, 10)
          expect(toPlainDigits(text.replace(/\d/g, digit => write(digit, ten)))).toBe(text)
        })
    )
  })
})

describe('the digits of a request', () => {
  const code = digits(/^\d{4,8}$/, 'no code')
  test.each(['246810', '٢٤٦٨١٠', '۲۴۶۸۱۰', '２４６８１０', ' 246 810 ', '246-810', '२४६८१०', '\u200E246–810'])(
    'are read in %j as the code 246810', typed => expect(code.parse(typed)).toBe('246810')
  )
  test.each([
    '', '123', '123456789', '24681a', '246/810', '²46810', '½4681'
  ])('are not accepted as the code %j', typed =>
    expect(code.safeParse(typed).success).toBe(false))

  test('are read in an amount and a date', () => {
    const amount = decimal(/^\d+(\.\d+)?$/, 'no amount')
    expect(['١٬٢٣٤٫٥٠', '１２．５', ' 45.00 '].map(typed => amount.parse(typed))).toEqual(['1234.50', '12.5', '45.00'])
    expect(day().parse('١٩٨٥-٠٤-٠٣')).toBe('1985-04-03')
    expect(day().safeParse('١٩٨٥-٠٢-٣٠').success).toBe(false)
  })
})
