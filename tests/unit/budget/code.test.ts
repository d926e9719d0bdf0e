import { describe, expect, test } from 'vitest'
import { CODE, codeCandidates, containsCode, generateCode } from '../../../layers/budget/server/services/link/code.ts'

describe('the code', () => {
  test.each(['1234', '00000000', '123456'])('%s is one', code => expect(CODE.test(code)).toBe(true))
  test.each(['123', '123456789', '12 34', '12a4', '', '١٢٣٤', '1234\n'])('is not %j', code =>
    expect(CODE.test(code)).toBe(false)
  )

  test('a generated one has six digits', () => {
    for (let i = 0; i < 200; i++) expect(generateCode()).toMatch(/^\d{6}$/)
  })
})

describe('a message that gives the code away', () => {
  test.each([
    'Your code is 482913.',
    '4 8 2 9 1 3',
    '482-913',
    '48.29.13',
    '4_8_2_9_1_3',
    '482\u200B913',
    '482\u00A0913',
    '４８２９１３',
    '٤٨٢٩١٣',
    '४८२९१३',
    '๔๘๒๙๑๓',
    'ring 0482913',
    'a482913b'
  ])('%j is found', message => expect(containsCode(message, '482913')).toBe(true))

  test.each(['See you on 12 March', 'Call 912 345 678', '482 is the room, 913 the floor', ''])(
    '%j is fine',
    (message) => {
      expect(containsCode(message, '482913')).toBe(false)
    }
  )

  test('its candidates hold every code that it contains', () => {
    expect(codeCandidates('call 482-913 now')).toEqual(expect.arrayContaining(['4829', '2913', '48291', '482913']))
    expect(codeCandidates('room 12, floor 3')).toEqual([])
  })
})
