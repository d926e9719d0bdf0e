import type { Shape } from '../sheet.ts'
import { face } from '../text/fonts.ts'
import { isCovered, runsOf, type Run } from '../text/runs.ts'
import { COLOR, RIGHT, PAGE, SIZE, type Face, type Size } from './style.ts'
import { printable, widthOf } from '../text/text.ts'

/** An element of a page, in points from the top left corner. `spare` is the unused width in a figure's column. */
export type Mark
  = | {
    kind: 'text'
    text: string
    x: number
    baseline: number
    width: number
    face: Face
    size: Size
    color: string
    spare?: number
    /** Part of a drawing, which isn't mirrored. */
    fixed?: boolean
    /** Text that the face alone can't draw. */
    runs?: Run[]
  }
  | { kind: 'box', x: number, y: number, width: number, height: number, color: string, radius?: number, spare?: number }
  | { kind: 'image', x: number, y: number, width: number, height: number, data: string }
  | { kind: 'link', x: number, y: number, width: number, height: number, url: string }
  /** A QR code: one string per row, with `1` for dark modules, including the white margin. */
  | { kind: 'dots', x: number, y: number, width: number, height: number, rows: string[], color: string }
  /** `scale`: points per unit of the drawing. */
  | { kind: 'drawing', x: number, y: number, width: number, height: number, scale: number, shapes: Shape[] }

export interface TextStyle {
  face?: Face
  size?: Size
  color?: string
  align?: 'left' | 'right' | 'center'
  struck?: boolean
  /** Width of a column of figures. */ room?: number
}

/** A line of text in a box that starts at `y`. `x` is its left end, right end or middle. */
export function textAt(text: string, x: number, y: number, style: TextStyle = {}): Mark[] {
  const { face: name = 'regular', size = SIZE.body, color = COLOR.ink, align = 'left', struck = false, room } = style
  const shown = printable(text)
  if (!shown) return []
  const width = widthOf(shown, name, size)
  const left = align === 'left' ? x : align === 'right' ? x - width : x - width / 2
  const baseline = y + face(name).metrics.ascent * size
  const spare = room === undefined ? {} : { spare: room - width }
  const runs = isCovered(shown, name) ? {} : { runs: runsOf(shown, name) }
  const mark: Mark = { kind: 'text', text: shown, x: left, baseline, width, face: name, size, color, ...spare, ...runs }
  if (!struck) return [mark]
  return [
    mark,
    { kind: 'box', x: left - 0.5, y: baseline - size * 0.31, width: width + 1, height: 0.7, color, ...spare }
  ]
}

export const ruleAt = (
  y: number,
  color: string = COLOR.rule,
  height = 0.6,
  x: number = PAGE.left,
  width: number = RIGHT - x
): Mark => ({ kind: 'box', x, y, width, height, color })

export const shifted = (mark: Mark, x: number, y: number): Mark =>
  mark.kind === 'text'
    ? { ...mark, x: mark.x + x, baseline: mark.baseline + y }
    : { ...mark, x: mark.x + x, y: mark.y + y }

/**
 * Mirrors a mark for a right-to-left page: its place changes sides, but its content stays the same. Figures stay on the
 * right of their column, so that their digits align.
 */
export function mirrored(mark: Mark): Mark {
  if ('fixed' in mark && mark.fixed) return mark
  const spare = 'spare' in mark ? mark.spare ?? 0 : 0
  return { ...mark, x: PAGE.width - mark.x - mark.width + spare }
}
