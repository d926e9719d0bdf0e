import { expect, test } from 'vitest'
import { readClauses } from '../../../server/core/modules/clauses/read-clauses.ts'

const one = { id: 'deposit', title: 'Deposit', text: 'Due at once.' }

test.each<[string, unknown]>([
  ['no clause', []],
  ['one clause', [one]],
  ['two clauses with different ids', [one, { ...one, id: 'deposit-2' }]],
  ['2,000 characters, some of two UTF-16 units', [{ ...one, text: '𝒳'.repeat(2000) }]],
  ['several lines', [{ ...one, text: 'a\n\nb' }]],
  ['a right-to-left text', [{ ...one, title: 'العربون', text: 'يُدفع عند القبول.' }]]
])('a list of clauses is accepted: %s', (_, answer) => {
  expect(readClauses(answer)).toEqual(answer)
})

test('title and text of a clause are trimmed', () => {
  expect(readClauses([{ ...one, title: ' Deposit ', text: '\nDue.\n' }])).toEqual([{ ...one, text: 'Due.' }])
})

test.each<[string, unknown, string]>([
  ['a missing list', undefined, 'clauses'],
  ['a text instead of a list', 'Deposit', 'clauses'],
  ['one clause outside a list', one, 'clauses'],
  ['a null in the list', [null], 'clauses.0'],
  ['a missing id', [{ title: 'A', text: 'B' }], 'clauses.0.id'],
  ['an id with a blank', [{ ...one, id: 'the deposit' }], 'clauses.0.id'],
  ['an empty title', [{ ...one, title: ' ' }], 'clauses.0.title'],
  ['a title of two lines', [{ ...one, title: 'A\nB' }], 'clauses.0.title'],
  ['a title of 201 characters', [{ ...one, title: 'x'.repeat(201) }], 'clauses.0.title'],
  ['a text in two languages', [{ ...one, text: { en: 'A' } }], 'clauses.0.text'],
  ['an invisible text', [{ ...one, text: '\u200B' }], 'clauses.0.text'],
  ['a text of 2,001 characters', [one, { ...one, id: 'b', text: 'x'.repeat(2001) }], 'clauses.1.text'],
  ['a control character', [{ ...one, text: 'a\u0000b' }], 'clauses.0.text'],
  ['half a surrogate pair', [{ ...one, text: '\uD83D' }], 'clauses.0.text'],
  ['a direction override', [{ ...one, text: 'a\u202Eb' }], 'clauses.0.text'],
  ['an unknown member', [{ ...one, url: 'https://x.test' }], 'clauses.0'],
  ['the same id twice', [one, one], 'occurs twice']
])('clauses are refused with an error that names the place: %s', (_, answer, place) => {
  expect(() => readClauses(answer)).toThrow(place)
})
