import { describe, expect, test } from 'vitest'
import { readTypedTreatment } from '../../../../layers/budget/app/utils/typed-treatment.ts'

describe('the text typed to find a treatment', () => {
  test.each([
    ['crown 16', 'crown', ['16'], ''],
    ['crown 16 mo', 'crown', ['16'], 'MO'],
    ['filling 26MOD', 'filling', ['26'], 'MOD'],
    ['  Root canal   36  ', 'Root canal', ['36'], ''],
    ['RES-03 46 o', 'RES-03', ['46'], 'O'],
    ['veneer 11 21', 'veneer', ['11', '21'], ''],
    ['veneer 11, 21, 11', 'veneer', ['11', '21'], ''],
    ['filling 75', 'filling', ['75'], '']
  ])('can end with teeth and surfaces: %j', (typed, search, teeth, surfaces) => {
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
  ])('is only a name or code when no tooth follows a word: %j', (typed, search) => {
    expect(readTypedTreatment(typed)).toEqual({ search, teeth: [], surfaces: '' })
  })

  test('has surfaces of a single tooth only: the numbers before it remain part of the name', () => {
    expect(readTypedTreatment('filling 15 16 mo')).toEqual({ search: 'filling 15', teeth: ['16'], surfaces: 'MO' })
  })

  test.each([
    ['crown 3', 'universal', ['16'], ''],
    ['crown 3 mo', 'universal', ['16'], 'MO'],
    ['filling a', 'universal', ['55'], ''],
    ['filling 8 9', 'universal', ['11', '21'], ''],
    ['crown UR6', 'palmer', ['16'], ''],
    ['crown 6┘ mo', 'palmer', ['16'], 'MO'],
    ['crown └1 1┘', 'palmer', ['21', '11'], '']
  ] as const)('is read in the clinic\'s notation: %j as %s', (typed, notation, teeth, surfaces) => {
    expect(readTypedTreatment(typed, notation)).toMatchObject({ teeth, surfaces })
  })

  test('cannot have a surface that the tooth does not have', () => {
    expect(readTypedTreatment('crown 16 i')).toEqual({ search: 'crown 16 i', teeth: [], surfaces: '' })
  })

  test.each([
    ['puente 15 16 17', ['15', '16', '17']],
    ['puente 15-17', ['15', '16', '17']],
    ['puente 17–15', ['17', '16', '15']],
    ['puente 15 a 17', ['15', '16', '17']],
    ['bridge 15 to 17', ['15', '16', '17']],
    ['Brücke 15 bis 17', ['15', '16', '17']],
    ['bridge 15 à 17', ['15', '16', '17']],
    ['ponte 15 até 17', ['15', '16', '17']],
    ['جسر 15 إلى 17', ['15', '16', '17']],
    ['bridge 15 - 17', ['15', '16', '17']],
    ['bridge 12-22', ['12', '11', '21', '22']],
    ['bridge 33 a 42 45', ['33', '32', '31', '41', '42', '45']],
    ['crowns 53-55', ['53', '54', '55']]
  ])('can end with a range of teeth along the arch: %j', (typed, teeth) => {
    expect(readTypedTreatment(typed)).toEqual({ search: typed.split(' ')[0], teeth, surfaces: '' })
  })

  test.each([
    ['bridge 2-4', 'universal', ['17', '16', '15']],
    ['puente 2 a 4', 'universal', ['17', '16', '15']],
    ['crowns A-C', 'universal', ['55', '54', '53']],
    ['bridge 18-20', 'universal', ['37', '36', '35']],
    ['bridge UR5-UR7', 'palmer', ['15', '16', '17']],
    ['bridge 1┘ - └2', 'palmer', ['11', '21', '22']]
  ] as const)('reads ranges in the clinic\'s notation: %j as %s', (typed, notation, teeth) => {
    expect(readTypedTreatment(typed, notation)).toMatchObject({ search: typed.split(' ')[0], teeth })
  })

  test.each(['bridge 15-45', 'bridge 15-55', 'RES-03', 'kit 15-', 'kit 15-16-17', 'bridge a 17x'])(
    'is only a name when the teeth are not in one row: %j', (typed) => {
      expect(readTypedTreatment(typed)).toEqual({ search: typed, teeth: [], surfaces: '' })
    })
})
