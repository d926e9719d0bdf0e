import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { internationalDigits } from '../../../layers/budget/shared/ready-text.ts'
import { cleanPhone, dialUrl, isPhoneForm } from '../../../layers/clinical/shared/domain/phone-form.ts'
import { findPhoneFault, readPhone } from '../../../layers/clinical/server/services/phone/read-phone.ts'

describe('the reader of phone numbers', () => {
  test.each([
    ['(+34) 600 111 222', '(+34) 600 111 222'],
    ['\u202A+34 600 111 222\u202C', '+34 600 111 222'],
    ['٠٦١٢٣٤٥٦٧٨', '0612345678'],
    ['６００ 111 222', '600 111 222'],
    ['0151–2345678', '0151-2345678'],
    ['0151\u20112345678', '0151-2345678'],
    ['600\u00A0111\u202F222', '600 111 222'],
    ['＋34600111222', '+34600111222'],
    ['0151/2345678', '0151/2345678'],
    ['600111222 ext. 12', '600111222 ext. 12'],
    ['600111222x12', '600111222x12'],
    ['+34 (0)600111222', '+34 (0)600111222'],
    ['(93) 412.34.56', '(93) 412.34.56']
  ])('reads %j as %j', (typed, kept) => {
    expect(cleanPhone(typed)).toBe(kept)
    expect(isPhoneForm(kept)).toBe(true)
    expect(findPhoneFault(typed, 'ES')).toBeNull()
  })

  test.each(['', '-', 'no tiene', 'call me', '600111222 (madre)', '6,12346E+08', 'ext. 12', '+', '12', '600,111'])(
    'does not accept %j', typed => expect(isPhoneForm(cleanPhone(typed))).toBe(false))

  test('omits the extension in the number to dial', () => {
    expect(dialUrl('(+34) 600 111 222 ext. 12')).toBe('tel:+34600111222')
    expect(dialUrl('٦٠٠١١١٢٢٢')).toBe('tel:600111222')
  })

  test('gives the same number for a messenger', () => {
    for (const typed of ['(+34) 600 111 222', '\u202A0034 600111222\u202C', '(0034) 600 111 222', '600 111 222'])
      expect(internationalDigits(typed, 'ES'), typed).toBe('34600111222')
  })
})

describe('the check of a phone number against its country', () => {
  test.each([
    ['600000', 'ES', 'short'],
    ['+34 600000', null, 'short'],
    ['0034600000', 'FR', 'short'],
    ['123456789012', 'ES', 'long'],
    ['+34 600 111 2223', 'ES', 'long'],
    ['+999 1234567', 'ES', 'code'],
    ['06 12 34', 'FR', 'short'],
    ['1234', null, 'short'],
    ['1234567890123456', null, 'long'],
    ['call me', 'ES', 'form']
  ])('refuses %j in %s as %s', (typed, country, fault) => expect(findPhoneFault(typed, country)).toBe(fault))

  test.each([
    ['600000', null], ['0612345678', 'ES'], ['0151 2345678', 'ES'], ['912 345 678', 'PT'], ['06 12 34 56 78', 'FR'],
    ['612345678', 'FR'], ['(555) 123-4567', 'US'], ['501234567', 'SA'], ['11 91234-5678', 'BR'], ['030 1234567/68', 'DE'],
    ['+44 7700 900106', 'ES'], ['934567890', 'ES'], ['600 111 222', 'XX']
  ])('accepts %j in %s', (typed, country) => expect(findPhoneFault(typed, country)).toBeNull())
})

describe('the reader of a cell with phone numbers', () => {
  test.each([
    ['612345678/934567890', '612345678', '934567890'],
    ['600111222, 910222333', '600111222', '910222333'],
    ['600 111 222 93 412 34 56', '600 111 222', '93 412 34 56'],
    ['600111222\n934567890', '600111222', '934567890'],
    ['600111222 - 934567890', '600111222', '934567890'],
    ['612345678/79', '612345678', '79'],
    ['612345678 (madre)', '612345678', '612345678 (madre)'],
    ['madre: 600111222', '600111222', 'madre: 600111222'],
    ['600111222 ext. 12', '600111222 ext. 12', null],
    ['0151/2345678', '0151/2345678', null]
  ])('finds in %j the number %j, and %j for the notes', (cell, phone, rest) =>
    expect(readPhone(cell, 'ES')).toEqual({ phone, rest }))

  test.each([
    ['6,12346E+08', 'spreadsheet'], ['6.12346e+08', 'spreadsheet'], ['6E+08', 'spreadsheet'], ['600000', 'short'],
    ['call 600000', 'short'], ['no tiene', 'form'], ['-', 'form']
  ])('finds no number in %j: %s', (cell, fault) => expect(readPhone(cell, 'ES')).toEqual({ fault }))

  test('never throws, and only returns numbers that the API accepts', () => {
    const piece = fc.constantFrom('6', '00', '934', '+34', ' ', '-', '/', '(', ')', 'x', 'ext. ', '\u202A', '٠', ',', '\n', 'mamá')
    fc.assert(fc.property(fc.array(piece, { maxLength: 30 }), fc.constantFrom('ES', 'DE', 'US', null), (pieces, country) => {
      const read = readPhone(pieces.join(''), country)
      if ('phone' in read) expect([read.phone, isPhoneForm(read.phone), findPhoneFault(read.phone, country)]).toEqual([read.phone, true, null])
    }), { numRuns: 2000 })
    expect(readPhone(`1${' -('.repeat(50_000)}`, 'ES')).toEqual({ fault: 'form' })
  })
})
