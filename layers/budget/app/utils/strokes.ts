import type { PointGroup } from 'signature_pad'

/** CSS pixels. */
export interface Paper { width: number, height: number }

/** White left around the ink, so that no line is cut in half. */
const EDGE = 4

/** Strokes at another size. Time shrinks like distance: the pen's speed, which says how thick a line is, stays. */
export const scaledStrokes = (strokes: readonly PointGroup[], factor: number): PointGroup[] =>
  strokes.map(stroke => ({
    ...stroke,
    minWidth: stroke.minWidth * factor,
    maxWidth: stroke.maxWidth * factor,
    dotSize: stroke.dotSize * factor,
    points: stroke.points.map(point => ({
      ...point,
      x: point.x * factor,
      y: point.y * factor,
      time: point.time * factor
    }))
  }))

/** The paper on which all ink is: at least that of the box, drawn at this factor. */
export function paperOf(strokes: readonly PointGroup[], box: Paper, factor: number): Paper {
  const points = strokes.flatMap(stroke => stroke.points)
  const reach = (sides: number[]) => Math.max(0, ...sides) + EDGE
  return {
    width: Math.max(box.width / factor, reach(points.map(({ x }) => x))),
    height: Math.max(box.height / factor, reach(points.map(({ y }) => y)))
  }
}

/** How small strokes must become to be whole in the box; 1 if they are. */
export function factorFor(strokes: readonly PointGroup[], box: Paper): number {
  const { width, height } = paperOf(strokes, { width: 0, height: 0 }, 1)
  return Math.min(1, box.width / width, box.height / height)
}
