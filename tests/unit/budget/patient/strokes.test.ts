import type { PointGroup } from 'signature_pad'
import { expect, test } from 'vitest'
import { factorFor, paperOf, scaledStrokes } from '../../../../layers/budget/app/utils/strokes.ts'

const aStroke = (...points: [x: number, y: number][]): PointGroup => ({
  penColor: '#000',
  dotSize: 0,
  minWidth: 0.8,
  maxWidth: 2.6,
  velocityFilterWeight: 0.7,
  compositeOperation: 'source-over',
  points: points.map(([x, y], index) => ({ x, y, pressure: 0.5, time: index * 10 }))
})

test('strokes that fit the box keep their size', () => {
  expect(factorFor([aStroke([10, 10], [300, 100])], { width: 340, height: 176 })).toBe(1)
  expect(factorFor([], { width: 340, height: 176 })).toBe(1)
})

test('strokes from a wider box are scaled down until the last point is inside the new box', () => {
  const strokes = [aStroke([10, 10], [796, 100])]
  const factor = factorFor(strokes, { width: 340, height: 176 })
  expect(factor).toBeCloseTo(340 / 800)
  expect(scaledStrokes(strokes, factor)[0]!.points[1]!.x).toBeLessThan(340)
})

test('a stroke that is scaled down and up again is unchanged, including its pen width and speed', () => {
  const strokes = [aStroke([10, 10], [796, 100])]
  const [again] = scaledStrokes(scaledStrokes(strokes, 0.425), 1 / 0.425)
  expect(again!.points[1]!.x).toBeCloseTo(796)
  expect(again!.points[1]!.time).toBeCloseTo(10)
  expect(again!.maxWidth).toBeCloseTo(2.6)
})

test('the picture is large enough for all strokes and for the box', () => {
  const strokes = [aStroke([10, 10], [796, 100])]
  expect(paperOf(strokes, { width: 340, height: 176 }, 0.425)).toEqual({ width: 800, height: 176 / 0.425 })
  expect(paperOf([], { width: 340, height: 176 }, 1)).toEqual({ width: 340, height: 176 })
})
