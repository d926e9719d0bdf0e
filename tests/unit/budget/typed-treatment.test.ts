import { describe, expect, test } from 'vitest'
import { readTypedTreatment } from '../../../layers/budget/app/utils/typed-treatment.ts'

describe('what is typed to find a treatment', () => {
  test.each([
    ['crown 16', 'crown', ['16'], ''],
    ['crown 16 mo', 'crown', ['16'], 'MO'],
    ['filling 26MOD', 'filling', ['26'], 'MOD'],
    ['  Root canal   36  ', 'Root canal', ['36'], ''],
    ['RES-03 46 o', 'RES-03', ['46'], 'O'],
    ['veneer 11 21', 'veneer', ['11', '21'], ''],
    ['veneer 11, 21, 11', 'veneer', ['11', '21'], ''],
    ['filling 75', 'filling', ['75'], '']
  ])('may end with teeth and surfaces: %j', (typed, search, teeth, surfaces) => {
    expect(readTypedTreatment(typed)).toEqual({ search, teeth, surfaces })
  })

  test.each([
    ['', ''],
    ['crown', 'crown'],
    ['16', '16'],
    ['16 mo', '16 mo'],
    ['crown 1', 'crown 1'],
    ['crown 19', 'crown 19'],
    ['crown 86', 'crown 86'],
    ['crown 160', 'crown 160'],
    ['crown mo', 'crown mo'],
    ['filling 26 mm', 'filling 26 mm'],
    ['filling 26mm', 'filling 26mm'],
    ['16 crown', '16 crown']
  ])('is a name or code when no tooth follows a word: %j', (typed, search) => {
    expect(readTypedTreatment(typed)).toEqual({ search, teeth: [], surfaces: '' })
  })

  test('surfaces belong to a single tooth: the numbers before it stay in the name', () => {
    expect(readTypedTreatment('filling 15 16 mo')).toEqual({ search: 'filling 15', teeth: ['16'], surfaces: 'MO' })
  })
})
