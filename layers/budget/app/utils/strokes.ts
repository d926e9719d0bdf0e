import type { PointGroup } from 'signature_pad'

/** A size in CSS pixels. */
export interface Paper { width: number, height: number }

/** The white margin around the ink, so that no line is cut off. */
const EDGE = 4

/** Scales strokes. Time is scaled like distance, because the pen's speed determines the thickness of a line. */
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

/** The size of paper that contains all ink, and at least the box divided by the factor. */
export function paperOf(strokes: readonly PointGroup[], box: Paper, factor: number): Paper {
  const points = strokes.flatMap(stroke => stroke.points)
  const reach = (sides: number[]) => Math.max(0, ...sides) + EDGE
  return {
    width: Math.max(box.width / factor, reach(points.map(({ x }) => x))),
    height: Math.max(box.height / factor, reach(points.map(({ y }) => y)))
  }
}

/** The factor by which strokes must shrink to fit in the box; 1 if they fit. */
export function factorFor(strokes: readonly PointGroup[], box: Paper): number {
  const { width, height } = paperOf(strokes, { width: 0, height: 0 }, 1)
  return Math.min(1, box.width / width, box.height / height)
}
