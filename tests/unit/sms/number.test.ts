import { describe, expect, test } from 'vitest'
import { LANGUAGES } from '@svc/kit/schemas'
import { readNumber } from '../../../layers/sms/server/services/read-number.ts'
import { sentenceIn, textOf } from '../../../layers/sms/server/texts.ts'

describe('a phone number becomes E.164, or has a reason:', () => {
  test.each([
    ['600 112 233', 'ES', '+34600112233'],
    ['+34 600-112-233', null, '+34600112233'],
    ['0034 600112233', null, '+34600112233'],
    ['(0)151 23456789', 'DE', '+4915123456789'],
    ['06 12 34 56 78', 'FR', '+33612345678'],
    ['912 345 678', 'PT', '+351912345678'],
    ['050 123 4567', 'AE', '+971501234567'],
    ['(212) 555-0123', 'US', '+12125550123'],
    ['+44 7911 123456', 'ES', '+447911123456']
  ])('%s in %s is %s', async (typed, country, number) => expect(await readNumber(typed, country)).toEqual({ number }))

  test.each([
    ['', 'ES', 'no_number'],
    [null, 'ES', 'no_number'],
    ['600 112 233', null, 'no_country'],
    ['91 123 45 67', 'ES', 'landline'],
    ['+34 91 123 45 67', null, 'landline'],
    ['030 123456', 'DE', 'landline'],
    ['600 112', 'ES', 'impossible'],
    ['+34 100 000 000', 'ES', 'impossible'],
    ['ask his mother', 'ES', 'impossible'],
    ['900 123 456', 'ES', 'special']
  ])('%s in %s: %s', async (typed, country, reason) => expect(await readNumber(typed, country)).toEqual({ number: null, reason }))

  test('each reason is a sentence of its own in the six languages', () => {
    for (const reason of ['no_number', 'no_country', 'impossible', 'landline', 'special', 'stopped', 'limit'] as const) {
      const sentences = LANGUAGES.map(locale => sentenceIn(reason, locale))
      expect(new Set(sentences).size).toBe(LANGUAGES.length)
      expect(Object.keys(textOf(reason)).sort()).toEqual([...LANGUAGES].sort())
    }
  })
})
