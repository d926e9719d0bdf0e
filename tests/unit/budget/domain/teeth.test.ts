import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hasDeciduousTeeth, plannedByTooth, teethIn } from '../../../../layers/budget/shared/domain/planned-teeth.ts'
import {
  hasSurface,
  placeFaults,
  readOldPlace,
  readTooth
} from '../../../../layers/budget/shared/domain/teeth-input.ts'
import {
  AREAS,
  isTooth,
  NOTATIONS,
  placeKey,
  placeOf,
  ROWS,
  sortTeeth,
  SURFACES,
  TEETH,
  teethText,
  toothLabel,
  type Surface
} from '../../../../layers/budget/shared/domain/teeth.ts'

const aTooth = fc.constantFrom(...TEETH)
const pointers = (teeth: string[], surfaces: string[] = [], area: (typeof AREAS)[number] | null = null) =>
  placeFaults({ teeth, surfaces: surfaces as Surface[], area }).map(({ path }) => path.join('/'))

describe('the list of teeth', () => {
  test('has the 52 codes of ISO 3950, each once', () => {
    const wanted = [1, 2, 3, 4].flatMap(quadrant => [1, 2, 3, 4, 5, 6, 7, 8].map(tooth => `${quadrant}${tooth}`))
      .concat([5, 6, 7, 8].flatMap(quadrant => [1, 2, 3, 4, 5].map(tooth => `${quadrant}${tooth}`)))
    expect(TEETH.toSorted()).toEqual(wanted.toSorted())
  })

  test.each(['', '1', '10', '19', '49', '50', '56', '86', '016', '16 ', 'A'])('does not have %j', (code) => {
    expect(isTooth(code)).toBe(false)
  })

  test('is in the order in which the dentist sees the teeth, from the patient\'s right', () => {
    expect([ROWS.upper[0], ROWS.upper[7], ROWS.upper[8], ROWS.upper[15]]).toEqual(['18', '11', '21', '28'])
    expect([ROWS.lower[0], ROWS.lower[15]]).toEqual(['48', '38'])
    expect([ROWS.upper_deciduous[0], ROWS.lower_deciduous[9]]).toEqual(['55', '75'])
    expect(sortTeeth(['36', '11', '18', '75', '21'])).toEqual(['18', '11', '21', '36', '75'])
  })
})

describe('the check of a place in the mouth', () => {
  test.each<[string[], string[], string[]]>([
    [['16'], ['M', 'O', 'D', 'V', 'P'], []],
    [['36'], ['O', 'L'], []],
    [['11'], ['I', 'P', 'V'], []],
    [['43'], ['I', 'L'], []],
    [['54'], ['O', 'P'], []],
    [['73'], ['I', 'L'], []],
    [['16'], ['I'], ['surfaces/0']],
    [['13'], ['M', 'O'], ['surfaces/1']],
    [['16'], ['L'], ['surfaces/0']],
    [['36'], ['P'], ['surfaces/0']],
    [['16'], ['M', 'M'], ['surfaces/1']],
    [[], ['M'], ['surfaces']],
    [['16', '17'], ['M'], ['surfaces']],
    [['16', '19'], [], ['teeth/1']],
    [['16', '17', '16'], [], ['teeth/2']]
  ])('refuses teeth %j with surfaces %j at %j', (teeth, surfaces, refused) => {
    expect(pointers(teeth, surfaces)).toEqual(refused)
  })

  test('accepts teeth or an area, but not both', () => {
    expect(pointers(['16'], [], 'upper_jaw')).toEqual(['area'])
    expect(pointers([], [], 'upper_jaw')).toEqual([])
  })

  test('accepts at most 32 teeth', () => {
    expect(pointers([...TEETH.slice(0, 32)])).toEqual([])
    expect(pointers([...TEETH.slice(0, 33)])).toEqual(['teeth'])
  })

  test('accepts any single tooth with any of its surfaces, and no other surfaces', () => {
    fc.assert(fc.property(aTooth, fc.subarray([...SURFACES]), (tooth, surfaces) => {
      expect(pointers([tooth], surfaces).length === 0).toBe(surfaces.every(surface => hasSurface(tooth, surface)))
    }))
  })

  test('gives the same key for any order of teeth and surfaces', () => {
    fc.assert(fc.property(fc.shuffledSubarray([...TEETH]), fc.shuffledSubarray([...SURFACES]), (teeth, surfaces) => {
      expect(placeKey({ teeth, surfaces })).toBe(placeKey({ teeth: teeth.toSorted(), surfaces: surfaces.toSorted() }))
    }))
    expect(placeKey({})).toBe(placeKey(placeOf({})))
    expect(placeKey({ teeth: ['16'] })).not.toBe(placeKey({ teeth: ['17'] }))
  })
})

describe('the tooth notation', () => {
  test.each([
    ['18', '1', '8┘'],
    ['11', '8', '1┘'],
    ['21', '9', '└1'],
    ['28', '16', '└8'],
    ['38', '17', '┌8'],
    ['31', '24', '┌1'],
    ['41', '25', '1┐'],
    ['48', '32', '8┐'],
    ['55', 'A', 'E┘'],
    ['51', 'E', 'A┘'],
    ['61', 'F', '└A'],
    ['65', 'J', '└E'],
    ['75', 'K', '┌E'],
    ['71', 'O', '┌A'],
    ['81', 'P', 'A┐'],
    ['85', 'T', 'E┐']
  ])('calls %s %s in the universal notation and %s in Palmer notation', (code, universal, palmer) => {
    expect([toothLabel(code, 'fdi'), toothLabel(code, 'universal'), toothLabel(code, 'palmer')]).toEqual([
      code,
      universal,
      palmer
    ])
  })

  test.each(NOTATIONS)('%s has one label per tooth, and reads each label as its tooth', (notation) => {
    expect(new Set(TEETH.map(code => toothLabel(code, notation))).size).toBe(52)
    for (const code of TEETH) expect(readTooth(` ${toothLabel(code, notation).toLowerCase()} `, notation)).toBe(code)
  })

  test('of Palmer can be typed with letters too, on either side', () => {
    expect(['UR6', '6UR', 'ul1', 'LLe', 'elr'].map(typed => readTooth(typed, 'palmer'))).toEqual(
      ['16', '16', '21', '75', '85']
    )
  })

  test('does not accept labels of other notations or free text', () => {
    fc.assert(fc.property(fc.string(), fc.constantFrom(...NOTATIONS), (typed, notation) => {
      const code = readTooth(typed, notation)
      expect(code === null || isTooth(code)).toBe(true)
    }))
    expect([readTooth('33', 'universal'), readTooth('3', 'fdi'), readTooth('9UR', 'palmer'), readTooth('', 'fdi')])
      .toEqual([null, null, null, null])
  })

  test('lists several teeth in the order of the chart, and the surfaces of one tooth', () => {
    expect(teethText({ teeth: ['21', '11'], surfaces: [] }, 'fdi')).toBe('11, 21')
    expect(teethText({ teeth: ['16'], surfaces: ['O', 'M'] }, 'universal')).toBe('3 MO')
  })
})

describe('the conversion of the old tooth texts', () => {
  test.each([
    ['16', 'MO', { teeth: ['16'], surfaces: ['M', 'O'], site: null }],
    [' 16 ', 'm-o, d', { teeth: ['16'], surfaces: ['M', 'O', 'D'], site: null }],
    ['55', null, { teeth: ['55'], surfaces: [], site: null }],
    ['16', 'B', { teeth: ['16'], surfaces: [], site: 'B' }],
    ['16', 'I', { teeth: ['16'], surfaces: [], site: 'I' }],
    ['16', 'MM', { teeth: ['16'], surfaces: [], site: 'MM' }],
    ['11, 21', 'M', { teeth: [], surfaces: [], site: '11, 21 M' }],
    ['19', null, { teeth: [], surfaces: [], site: '19' }],
    [null, 'MO', { teeth: [], surfaces: [], site: 'MO' }],
    ['upper jaw', '', { teeth: [], surfaces: [], site: 'upper jaw' }],
    ['', '  ', { teeth: [], surfaces: [], site: null }],
    [undefined, undefined, { teeth: [], surfaces: [], site: null }]
  ])('reads tooth %j and surfaces %j', (tooth, surfaces, place) => {
    expect(readOldPlace(tooth, surfaces)).toEqual({ ...place, area: null })
  })

  test('always results in a valid place and loses no letter', () => {
    fc.assert(fc.property(fc.oneof(aTooth, fc.string()), fc.oneof(fc.constantFrom('MO', 'i', 'V'), fc.string()), (tooth, surfaces) => {
      const place = readOldPlace(tooth, surfaces)
      expect(placeFaults(place)).toEqual([])
      const kept = [...place.teeth, ...place.surfaces, place.site ?? ''].join('').toUpperCase()
      for (const letter of `${tooth}${surfaces}`.toUpperCase().match(/[\p{L}\d]/gu) ?? []) expect(kept).toContain(letter)
    }))
  })
})

describe('the areas of the mouth', () => {
  test.each([
    ['full_mouth', 32, '18', '38'],
    ['upper_jaw', 16, '18', '28'],
    ['lower_jaw', 16, '48', '38'],
    ['quadrant_1', 8, '18', '11'],
    ['quadrant_4', 8, '48', '41'],
    ['sextant_1', 5, '18', '14'],
    ['sextant_2', 6, '13', '23'],
    ['sextant_4', 5, '34', '38'],
    ['sextant_5', 6, '43', '33'],
    ['sextant_6', 5, '48', '44']
  ] as const)('include %s with %i teeth, from %s to %s', (area, count, first, last) => {
    const teeth = teethIn(area)
    expect([teeth.length, teeth[0], teeth.at(-1)]).toEqual([count, first, last])
  })

  test('cover the whole mouth, both as quadrants and as sextants', () => {
    for (const kind of ['quadrant', 'sextant'])
      expect(AREAS.filter(area => area.startsWith(kind)).flatMap(teethIn).toSorted())
        .toEqual(teethIn('full_mouth').toSorted())
  })
})

test('planned treatments are listed tooth by tooth, each line at all of its teeth, and areas last', () => {
  const lines = [
    { name: 'splint', area: 'upper_jaw' as const },
    { name: 'bridge', teeth: ['26', '16'] },
    { name: 'filling', teeth: ['16'] },
    { name: 'check-up' }
  ]
  const named = plannedByTooth(lines).map(({ tooth, area, lines }) => [tooth ?? area, lines.map(({ name }) => name)])
  expect(named).toEqual([
    ['16', ['bridge', 'filling']],
    ['26', ['bridge']],
    ['upper_jaw', ['splint']]
  ])
})

test('baby teeth are drawn until the thirteenth birthday', () => {
  expect(hasDeciduousTeeth('2013-05-06', '2026-05-05')).toBe(true)
  expect(hasDeciduousTeeth('2013-05-05', '2026-05-05')).toBe(false)
  expect(hasDeciduousTeeth('1980-01-01', '2026-05-05')).toBe(false)
  expect(hasDeciduousTeeth(null, '2026-05-05')).toBe(false)
})
