import type { Drawing, Fact, Figure } from '../sheet.ts'
import { shownWidth, wrap } from '../text/text.ts'
import { column } from './letterhead.ts'
import { textAt, type Mark } from './marks.ts'
import { gap, type Block } from './paginate.ts'
import { COLOR, leading, PAGE, SIZE, STEP, WIDTH } from './style.ts'

const DRAWING = WIDTH * 0.68

/** Heading, drawing and remark stay together. The list below may continue on other pages. */
export function figure({ title, remark, drawing, list }: Figure): Block[] {
  const heading: Block = {
    height: leading(SIZE.small) + STEP,
    glued: true,
    paint: y => textAt(title, PAGE.left, y, { face: 'bold', size: SIZE.small, color: COLOR.soft })
  }
  const lines = wrap(remark, WIDTH, 'regular', SIZE.small)
  const below: Block = {
    height: lines.length * leading(SIZE.small) + 2 * STEP,
    // The first row of the list stays on the same page.
    glued: list.length > 0,
    paint: y => column(lines, PAGE.left, y + STEP, { size: SIZE.small, color: COLOR.soft })
  }
  return [heading, drawn(drawing), below, ...rows(list), gap(4 * STEP)]
}

/** The drawing is centred, so it needn't be mirrored. */
function drawn({ width, height, shapes, texts }: Drawing): Block {
  const scale = DRAWING / width
  const left = PAGE.left + (WIDTH - DRAWING) / 2
  return {
    height: height * scale + STEP,
    glued: true,
    paint: y => [
      { kind: 'drawing', x: left, y, width: DRAWING, height: height * scale, scale, shapes },
      ...texts.flatMap(({ text, x, y: middle, bold, color }): Mark[] =>
        textAt(text, left + x * scale, y + middle * scale - SIZE.tiny * 0.58, {
          face: bold ? 'bold' : 'regular',
          size: SIZE.tiny,
          color,
          align: 'center'
        }).map(mark => ({ ...mark, fixed: true })))
    ]
  }
}

/** Rows of labels and values. The labels' column is as wide as its widest label, up to a limit. */
function rows(list: Fact[]): Block[] {
  const widest = Math.max(0, ...list.map(([label]) => shownWidth(label, 'bold', SIZE.small)))
  const indent = Math.min(widest, WIDTH * 0.4) + 4 * STEP
  return list.map(([label, value], index) => {
    const labels = wrap(label, indent - 2 * STEP, 'bold', SIZE.small)
    const values = wrap(value, WIDTH - indent, 'regular', SIZE.small)
    return {
      height: Math.max(labels.length, values.length) * leading(SIZE.small) + STEP / 2,
      // The last row must not be alone on a page.
      glued: index === list.length - 2,
      paint: y => [
        ...column(labels, PAGE.left, y, { face: 'bold', size: SIZE.small }),
        ...column(values, PAGE.left + indent, y, { size: SIZE.small })
      ]
    }
  })
}
