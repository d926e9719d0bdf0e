import type { BudgetDocument } from './document.ts'
import type { Labels } from './labels.ts'
import { textAt, type Mark } from './marks.ts'
import { gap, type Block } from './paginate.ts'
import { COLOR, leading, PAGE, RIGHT, SIZE, STEP, WIDTH } from './style.ts'
import { wrap } from './text.ts'

const PANEL = 8.5 * STEP

/** Original price, discount and the framed total, with the tax that is in it. */
export function totals({ totals: sums }: BudgetDocument, labels: Labels, money: (minor: bigint) => string): Block[] {
  const left = RIGHT - WIDTH * 0.46
  const reduced: [string, string][] = sums.discount === 0n ? [] : [[labels.original_total, money(sums.original)], [labels.discount, `−${money(sums.discount)}`]]
  const line = leading(SIZE.body) + STEP
  const above = 3 * STEP + reduced.length * line + (reduced.length ? STEP : 0)
  const block: Block = {
    height: above + PANEL + STEP + leading(SIZE.small),
    paint: y => [
      ...reduced.flatMap(([label, amount], index) => pair(label, amount, left + 3 * STEP, y + 3 * STEP + index * line)),
      { kind: 'box', x: left, y: y + above, width: RIGHT - left, height: PANEL, color: COLOR.panel, radius: STEP / 2 },
      ...textAt(labels.total, left + 3 * STEP, y + above + 9.5, { face: 'bold', size: SIZE.heading }),
      ...textAt(money(sums.total), RIGHT - 3 * STEP, y + above + 9.5, { face: 'bold', size: SIZE.heading, align: 'right' }),
      ...textAt(sums.tax === 0n ? labels.no_tax : labels.tax_included(money(sums.tax)), RIGHT - 3 * STEP, y + above + PANEL + STEP, { size: SIZE.small, color: COLOR.soft, align: 'right' })
    ]
  }
  return [block, gap(5 * STEP)]
}

const pair = (label: string, amount: string, x: number, y: number): Mark[] => [
  ...textAt(label, x, y, { color: COLOR.soft }),
  ...textAt(amount, RIGHT - 3 * STEP, y, { color: COLOR.soft, align: 'right' })
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
