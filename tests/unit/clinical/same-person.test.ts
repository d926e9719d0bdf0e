import { describe, expect, test } from 'vitest'
import {
  claimedBy, isAnotherPerson, mayHaveSameGivenName, namedBy
} from '../../../layers/clinical/server/services/import/same-person.ts'

const named = (first_name: string, last_name = 'Ruiz') => ({ first_name, last_name })

describe('the comparison of first names', () => {
  test.each([
    ['Ana', 'ANA'], ['Ana', 'Ana María'], ['María del Carmen', 'Mª Carmen'], ['M.ª Carmen', 'Carmen María'],
    ['José', 'Jose'], ['Jean-Luc', 'Jean Luc'], ['Fco. Javier', 'Francisco Javier'], ['', 'Eva']
  ])('accepts %s and %s as one person', (one, other) => {
    expect(mayHaveSameGivenName(named(one), named(other))).toBe(true)
    expect(mayHaveSameGivenName(named(other), named(one))).toBe(true)
  })

  test.each([['Ada', 'Eva'], ['Ada', 'Ana'], ['María José', 'María Isabel'], ['Paul', 'Paula'], ['王小明', '王小红']])(
    'distinguishes %s and %s',
    (one, other) => expect(mayHaveSameGivenName(named(one), named(other))).toBe(false)
  )

  test('accepts first and last name in swapped order', () => {
    expect(mayHaveSameGivenName(named('García López', 'Ana'), named('Ana', 'García López'))).toBe(true)
  })

  test('lets a later row match an earlier one exactly if both can be the same person', () => {
    const all = ['Ana', 'Ana María', 'María', 'Eva', 'María del Carmen', 'Mª Carmen', 'Ana María Carmen']
    for (const one of all) {
      for (const other of all) {
        const names = new Set(namedBy('p', one))
        const isClaimed = claimedBy('p', other).some(claim => names.has(claim))
        expect(isClaimed, `${one} / ${other}`).toBe(mayHaveSameGivenName(named(one), named(other)))
      }
    }
  })
})

const rosa = {
  first_name: 'Rosa', last_name: 'Fichavieja Gil', email: 'rosa@gil.example', phone: '+34 600 111 222',
  date_of_birth: '1950-02-01'
}

describe('the comparison of a row with the patient who has its number', () => {
  test.each([
    ['another name and birth date', { first_name: 'Kevin', last_name: 'Otrapersona Paz', date_of_birth: '1999-09-09' }],
    ['only the first name in common', { first_name: 'Rosa', last_name: 'Paz', date_of_birth: '1999-09-09' }],
    ['only the last name in common', { first_name: 'Kevin', last_name: 'Gil', date_of_birth: '1999-09-09' }],
    ['no birth date, another name and contact', { first_name: 'Kevin', last_name: 'Gil', email: 'kevin@paz.example' }],
    ['nothing but another name', { first_name: 'Kevin', last_name: 'Paz' }],
    ['only particles in common', { first_name: 'Kevin', last_name: 'de la Paz' }]
  ])('finds another person: %s', (_, row) => {
    expect(isAnotherPerson(row, { ...rosa, last_name: 'de la Fichavieja' })).toBe(true)
  })

  test.each([
    ['nothing but the number', {}],
    ['another birth date', { first_name: 'Rosa', last_name: 'Fichavieja', date_of_birth: '1951-02-01' }],
    ['another name, the same birth date', { first_name: 'Rosie', last_name: 'Paz', date_of_birth: '1950-02-01' }],
    ['a marriage, the same phone', { first_name: 'Rosa', last_name: 'Paz', phone: '600111222', email: 'r@paz.example' }],
    ['a new address', { first_name: 'Rosa', last_name: 'Gil', email: 'r@paz.example' }],
    ['a corrected name', { first_name: 'Rossa', last_name: 'Fichavieja Gil' }],
    ['names in each other’s place', { first_name: 'Fichavieja Gil', last_name: 'Rosa', date_of_birth: '1950-01-02' }],
    ['a new birth date', { date_of_birth: '1951-02-01' }],
    ['a new address and no name', { email: 'r@paz.example' }]
  ])('finds the same person: %s', (_, row) => {
    expect(isAnotherPerson(row, rosa)).toBe(false)
  })
})
