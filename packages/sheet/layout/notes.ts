import { wrap } from '../text/text.ts'
import { textAt } from './marks.ts'
import { gap, type Block } from './paginate.ts'
import { COLOR, leading, PAGE, SIZE, STEP, WIDTH } from './style.ts'

/** Free text, which may continue on other pages line by line. Its heading stays with the first two lines. */
export function notes({ title, text }: { title: string, text: string }): Block[] {
  const lines = wrap(text, WIDTH * 0.86, 'regular', SIZE.body)
  if (!lines.length) return []
  const heading: Block = {
    height: leading(SIZE.small) + STEP,
    glued: true,
    paint: y => textAt(title, PAGE.left, y, { face: 'bold', size: SIZE.small, color: COLOR.soft })
  }
  return [heading, ...lines.map((line, index): Block => ({
    height: leading(SIZE.body),
    glued: index === 0 && lines.length > 1,
    paint: y => textAt(line, PAGE.left, y)
  })), gap(4 * STEP)]
}
