import type { Fact, Sums } from '../sheet.ts'
import { shownWidth } from '../text/text.ts'
import { textAt, type Mark } from './marks.ts'
import { gap, type Block } from './paginate.ts'
import { COLOR, leading, RIGHT, SIZE, STEP, WIDTH } from './style.ts'

const PANEL = 8.5 * STEP

/** The framed total on the right, with sums above it that lead to it, and sums below that follow from it. */
export function sums({ above, total, below, remark }: Sums): Block[] {
  const left = RIGHT - WIDTH * 0.46
  const line = leading(SIZE.body) + STEP
  const top = 3 * STEP + above.length * line + (above.length ? STEP : 0)
  const under = top + PANEL + STEP
  const room = Math.max(
    shownWidth(total[1], 'bold', SIZE.heading),
    ...[...above, ...below].map(([, amount]) => shownWidth(amount, 'regular', SIZE.body))
  )
  const pairs = (entries: Fact[], y: number) =>
    entries.flatMap(([label, amount], index) => pair([label, amount], left + 3 * STEP, y + index * line, room))
  const block: Block = {
    height: under + below.length * line + (remark ? leading(SIZE.small) : 0),
    paint: y => [
      ...pairs(above, y + 3 * STEP),
      { kind: 'box', x: left, y: y + top, width: RIGHT - left, height: PANEL, color: COLOR.panel, radius: STEP / 2 },
      ...textAt(total[0], left + 3 * STEP, y + top + 9.5, { face: 'bold', size: SIZE.heading }),
      ...textAt(total[1], RIGHT - 3 * STEP, y + top + 9.5, { face: 'bold', size: SIZE.heading, align: 'right', room }),
      ...pairs(below, y + under + STEP / 2),
      ...(remark
        ? textAt(remark, RIGHT - 3 * STEP, y + under + below.length * line, {
            size: SIZE.small,
            color: COLOR.soft,
            align: 'right'
          })
        : [])
    ]
  }
  return [block, gap(5 * STEP)]
}

const pair = ([label, amount]: Fact, x: number, y: number, room: number): Mark[] => [
  ...textAt(label, x, y, { color: COLOR.soft }),
  ...textAt(amount, RIGHT - 3 * STEP, y, { color: COLOR.soft, align: 'right', room })
]
