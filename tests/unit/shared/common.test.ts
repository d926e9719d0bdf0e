import { describe, expect, test } from 'vitest'
import { line } from '../../../shared/common.ts'

const name = line(100)

describe('a text of one line, such as the name of a clinic or a person,', () => {
  test.each(['Clínica Ñandú', 'محمد', '<b>', 'O’Brien & Co'])('can be %s', value =>
    expect(name.parse(value)).toBe(value)
  )

  test.each([
    ['a line feed', 'Ana\nRuiz'],
    ['a right-to-left override', 'Ana\u202Epxe'],
    ['an isolate', '\u2066Ana'],
    ['half a surrogate pair', 'A\uD800'],
    ['no characters', ''],
    ['only blanks', '  '],
    ['only invisible marks', '\u200B\u2060'],
    ['only filler characters', '\u3164'],
    ['only empty Braille patterns', '\u2800']
  ])('with %s is refused', (_, value) => expect(name.safeParse(value).success).toBe(false))
})
