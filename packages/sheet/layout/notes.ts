import type { Sheet } from '../sheet.ts'
import { wrap } from '../text/text.ts'
import { textAt } from './marks.ts'
import { gap, type Block } from './paginate.ts'
import { COLOR, leading, PAGE, SIZE, STEP, WIDTH } from './style.ts'

const MEASURE = WIDTH * 0.86

/** Free text, which may continue on other pages line by line. Its heading stays with the first two lines. */
export function notes({ title, text }: NonNullable<Sheet['notes']>): Block[] {
  const lines = paragraph(text)
  return lines.length ? [heading(title), ...lines, gap(4 * STEP)] : []
}

/** Texts with titles, which may continue in the same way. A title stays with the first two lines of its text. */
export function terms({ title, items }: NonNullable<Sheet['terms']>): Block[] {
  const texts = items.flatMap(item => [...titleOf(item), ...paragraph(item.text), gap(2 * STEP)])
  return texts.length ? [heading(title), ...texts, gap(2 * STEP)] : []
}

const heading = (title: string): Block => ({
  height: leading(SIZE.small) + STEP,
  glued: true,
  paint: y => textAt(title, PAGE.left, y, { face: 'bold', size: SIZE.small, color: COLOR.soft })
})

function titleOf({ title }: { title: string }): Block[] {
  return wrap(title, MEASURE, 'bold', SIZE.body).map((line, index, lines) => ({
    height: leading(SIZE.body) + (index < lines.length - 1 ? 0 : STEP / 2),
    glued: true,
    paint: y => textAt(line, PAGE.left, y, { face: 'bold' })
  }))
}

const paragraph = (text: string) => wrap(text, MEASURE, 'regular', SIZE.body).map((line, index, lines): Block => ({
  height: leading(SIZE.body),
  glued: index === 0 && lines.length > 1,
  paint: y => textAt(line, PAGE.left, y)
}))
