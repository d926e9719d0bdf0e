import type { BudgetDocument } from './document.ts'
import type { Labels } from './labels.ts'
import { textAt, type Mark } from './marks.ts'
import { gap, type Block } from './paginate.ts'
import { COLOR, leading, PAGE, RIGHT, SIZE, STEP, WIDTH } from './style.ts'
import { shownWidth, wrap } from './text.ts'

const PANEL = 8.5 * STEP

type Sum = [label: string, amount: string]
export interface Sums {
  /** What leads to the total. */ above: Sum[]
  total: Sum
  /** What becomes of it. */ below?: Sum[]
  remark: string | null
}

/** The framed total between what leads to it and what becomes of it, on the right. */
export function sums({ above, total, below = [], remark }: Sums): Block[] {
  const left = RIGHT - WIDTH * 0.46
  const line = leading(SIZE.body) + STEP
  const top = 3 * STEP + above.length * line + (above.length ? STEP : 0)
  const under = top + PANEL + STEP
  const room = Math.max(
    shownWidth(total[1], 'bold', SIZE.heading),
    ...[...above, ...below].map(([, amount]) => shownWidth(amount, 'regular', SIZE.body))
  )
  const pairs = (entries: Sum[], y: number) =>
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

/** Original price, discount and the framed total, with the tax that is in it. */
export const totals = (
  { totals: { original, discount, total, tax } }: BudgetDocument,
  labels: Labels,
  money: (minor: bigint) => string
): Block[] =>
  sums({
    above:
      discount === 0n
        ? []
        : [
            [labels.original_total, money(original)],
            [labels.discount, money(-discount).replace('-', '−')]
          ],
    total: [labels.total, money(total)],
    remark: tax === 0n ? labels.no_tax : labels.tax_included(money(tax))
  })

const pair = ([label, amount]: Sum, x: number, y: number, room: number): Mark[] => [
  ...textAt(label, x, y, { color: COLOR.soft }),
  ...textAt(amount, RIGHT - 3 * STEP, y, { color: COLOR.soft, align: 'right', room })
]

/** Free text; may flow over pages line by line, its heading stays with the first two. */
export function notes(text: string | null, labels: Labels): Block[] {
  const lines = text ? wrap(text, WIDTH * 0.86, 'regular', SIZE.body) : []
  if (!lines.length) return []
  const title: Block = {
    height: leading(SIZE.small) + STEP,
    glued: true,
    paint: y => textAt(labels.notes, PAGE.left, y, { face: 'bold', size: SIZE.small, color: COLOR.soft })
  }
  return [title, ...lines.map((line, index): Block => ({
    height: leading(SIZE.body),
    glued: index === 0 && lines.length > 1,
    paint: y => textAt(line, PAGE.left, y)
  })), gap(4 * STEP)]
}
