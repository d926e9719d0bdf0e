import { expect, it } from 'vitest'
import { peopleQuery, phoneWords } from '../../../layers/clinical/shared/domain/people-query.ts'

it('a phone number is found in any spelling', () => {
  expect(phoneWords('+34 600 000 101')).toContain('600000101')
  expect(phoneWords('07700 900106')).toEqual(['7700900106'])
  expect(peopleQuery('600 00 01')).toBe('\'6000001\':*')
})

it('any other query is searched as words', () => {
  expect(peopleQuery('Núria 3')).toBe('\'nuria\':* & \'3\':*')
  expect(peopleQuery(' ')).toBeNull()
})
