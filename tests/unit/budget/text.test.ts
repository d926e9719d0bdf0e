import { describe, expect, test } from 'vitest'
import { nameText, plainText } from '../../../layers/budget/shared/text.ts'

const name = nameText(200)
const text = plainText(2000)

describe('a name', () => {
  test.each([
    ['Zoë Núñez-O’Brien'],
    ['<img src=x onerror=alert(1)>'],
    ['{{7*7}}'],
    ['${x}'],
    ['محمد'],
    ['שרה'],
    ['می‌خواهم'],
    ['Ана'],
    ['X'],
    ['😀'.repeat(200)],
    ['👩‍⚕️ Ana'],
    ['e\u0301']
  ])('can be %s', value => expect(name.parse(value)).toBe(value))

  test('is trimmed', () => expect(name.parse('  Ana  ')).toBe('Ana'))

  test.each([
    ['NUL', 'A\0na'],
    ['a line feed', 'Ana\n'],
    ['a tab', '\tAna'],
    ['escape', 'Ana\u001B[31m'],
    ['a C1 control', 'A\u0085na'],
    ['a right-to-left override', 'Ana \u202Egpj.exe'],
    ['an isolate', '\u2066Ana\u2069'],
    ['a line separator', 'Ana\u2028Bo'],
    ['half a surrogate pair', 'A\uD800na'],
    ['no characters', ''],
    ['only blanks', '   '],
    ['only invisible marks', '\u200B\u200F\u2060'],
    ['only filler characters', '\u3164\u115F\uFFA0'],
    ['only empty Braille patterns', '\u2800\u2800'],
    ['too many characters', 'x'.repeat(201)],
    ['too many emoji', '😀'.repeat(201)]
  ])('with %s is refused', (_, value) => expect(name.safeParse(value).success).toBe(false))
})

describe('a longer text', () => {
  test('can have several lines', () => expect(text.parse(' Too dear.\r\n\tSorry. ')).toBe('Too dear.\r\n\tSorry.'))
  test('can have 2,000 characters at most', () => {
    expect(text.safeParse('é'.repeat(2000)).success).toBe(true)
    expect(text.safeParse('é'.repeat(2001)).success).toBe(false)
  })
  test.each([
    ['NUL', 'a\0'],
    ['a bell', '\u0007a'],
    ['no characters', ''],
    ['only blanks', ' \n ']
  ])('with %s is refused', (_, value) => {
    expect(text.safeParse(value).success).toBe(false)
  })
})
