import { EMPTY_WORDS, isEmptyMark, isEmptyWord } from '@svc/kit/empty-words'
import { describe, expect, test } from 'vitest'

describe('words that mean nothing', () => {
  test.each(Object.entries(EMPTY_WORDS))('of %s are empty, whatever their case and blanks', (_, words) => {
    expect(words.length).toBeGreaterThan(9)
    for (const word of words) {
      expect(isEmptyWord(word), word).toBe(true)
      expect(isEmptyWord(` ${word.toUpperCase()} `), word).toBe(true)
    }
  })

  test.each(['-', '--', '—', '?', '...', '/', ' ', '#'])('%s is empty', text => expect(isEmptyMark(text)).toBe(true))

  test.each(['ana@x.example', '600111222', 'Calle Nada, 3', 'No. 5', 'X1234567L', '0', 'ninguno de los dos'])(
    '%s says something',
    text => expect(isEmptyWord(text)).toBe(false)
  )
})
