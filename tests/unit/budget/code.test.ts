import { describe, expect, test } from 'vitest'
import { CODE, codeCandidates, containsCode, generateCode } from '../../../layers/budget/server/services/link/code.ts'

describe('the check of a code\'s form', () => {
  test.each(['1234', '00000000', '123456'])('accepts %s', code => expect(CODE.test(code)).toBe(true))
  test.each(['123', '123456789', '12 34', '12a4', '', '١٢٣٤', '1234\n'])('refuses %j', code =>
    expect(CODE.test(code)).toBe(false)
  )

  test('accepts a generated code of six digits', () => {
    for (let i = 0; i < 200; i++) expect(generateCode()).toMatch(/^\d{6}$/)
  })
})

describe('the search for a code in a message', () => {
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
  ])('finds the code in %j', message => expect(containsCode(message, '482913')).toBe(true))

  test.each(['See you on 12 March', 'Call 912 345 678', '482 is the room, 913 the floor', ''])(
    'finds no code in %j',
    (message) => {
      expect(containsCode(message, '482913')).toBe(false)
    }
  )

  test('has every code in a text among its candidates', () => {
    expect(codeCandidates('call 482-913 now')).toEqual(expect.arrayContaining(['4829', '2913', '48291', '482913']))
    expect(codeCandidates('room 12, floor 3')).toEqual([])
  })
})
