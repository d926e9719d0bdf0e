import { EMPTY_WORDS, isEmptyMark, isEmptyWord } from '@svc/kit/empty-words'
import { describe, expect, test } from 'vitest'

describe('a word for an empty cell', () => {
  test.each(Object.entries(EMPTY_WORDS))('of the table for %s counts in any case and with any blanks', (_, words) => {
    expect(words.length).toBeGreaterThan(9)
    for (const word of words) {
      expect(isEmptyWord(word), word).toBe(true)
      expect(isEmptyWord(` ${word.toUpperCase()} `), word).toBe(true)
    }
  })

  test.each(['-', '--', '—', '?', '...', '/', ' ', '#'])('can be %s', text => expect(isEmptyMark(text)).toBe(true))

  test.each(['ana@x.example', '600111222', 'Calle Nada, 3', 'No. 5', 'X1234567L', '0', 'ninguno de los dos'])(
    'is not %s',
    text => expect(isEmptyWord(text)).toBe(false)
  )
})
