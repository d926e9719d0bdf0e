import { describe, expect, test } from 'vitest'
import { areaSpans, drawDentition } from '../../../../layers/budget/shared/domain/dentition.ts'
import { TEETH, toothLabel } from '../../../../layers/budget/shared/domain/teeth.ts'

const whole = drawDentition({ deciduous: true })
const teeth = whole.rows.flat()
const of = (code: string) => teeth.find(tooth => tooth.code === code)!
const numbersOf = (path: string) => (path.match(/-?[\d.]+/g) ?? []).map(Number)
const heightOf = (path: string) => {
  const ys = numbersOf(path).filter((_, index) => index % 2 === 1)
  return Math.max(...ys) - Math.min(...ys)
}

describe('the drawing of the teeth', () => {
  test('has all 52 teeth, or only the permanent ones', () => {
    expect(teeth.map(({ code }) => code).toSorted()).toEqual(TEETH.toSorted())
    expect(drawDentition({ deciduous: false }).rows.map(row => row.length)).toEqual([16, 16])
  })

  test('keeps every tooth inside the drawing and its own column, without overlaps', () => {
    for (const { box, root, crown, label } of teeth) {
      const numbers = numbersOf(root + crown)
      const xs = numbers.filter((_, index) => index % 2 === 0)
      const ys = numbers.filter((_, index) => index % 2 === 1)
      expect(Math.min(...ys)).toBeGreaterThanOrEqual(box.y - 0.5)
      expect(Math.max(...ys)).toBeLessThanOrEqual(box.y + box.height + 0.5)
      expect(Math.min(...xs)).toBeGreaterThanOrEqual(0)
      expect(Math.max(...xs)).toBeLessThanOrEqual(whole.width)
      expect(label.y).toBeGreaterThan(box.y)
      expect(label.y).toBeLessThan(box.y + box.height)
    }
    for (const row of whole.rows)
      row.slice(1).forEach(({ box }, at) =>
        expect(box.x).toBeGreaterThanOrEqual(row[at]!.box.x + row[at]!.box.width - 0.02))
  })

  test('has the left side of the mouth as the mirror image of the right side', () => {
    for (const [right, left] of [['16', '26'], ['43', '33'], ['55', '65']])
      expect(of(right!).x + of(left!).x).toBeCloseTo(whole.width, 1)
  })

  test('shows several roots for molars, the longest for canines, and one without fissures for incisors', () => {
    const tips = (code: string) => of(code).root.split('C').length - 1
    expect([tips('16'), tips('46'), tips('11')]).toEqual([9, 6, 3])
    expect(heightOf(of('13').root)).toBeGreaterThan(heightOf(of('11').root))
    expect([of('11').details === '', of('16').details === '']).toEqual([true, false])
  })

  test('uses only the four path commands that the PDF can draw', () => {
    for (const { root, crown, details } of teeth) {
      expect(root + crown + details).toMatch(/^[MLCZ\d\s.-]+$/)
      expect([root.at(-1), crown.at(-1)]).toEqual(['Z', 'Z'])
    }
  })

  test('has room for the labels of every notation', () => {
    for (const { code, box } of teeth) expect(box.width).toBeGreaterThan(toothLabel(code, 'palmer').length * 3)
  })

  test('has one area for each jaw', () => {
    expect(areaSpans('full_mouth', whole).map(({ upper }) => upper)).toEqual([true, false])
    const [span] = areaSpans('sextant_2', whole)
    expect([span!.from, span!.to]).toEqual([of('13').box.x, of('23').box.x + of('23').box.width])
  })
})
