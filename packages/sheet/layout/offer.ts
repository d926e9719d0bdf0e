import type { Offer, OfferOption } from '../sheet.ts'
import { shownWidth, wrap } from '../text/text.ts'
import { column } from './letterhead.ts'
import { ruleAt, textAt } from './marks.ts'
import { gap, type Block } from './paginate.ts'
import { COLOR, leading, PAGE, RIGHT, SIZE, STEP, WIDTH } from './style.ts'

const INDENT = 4 * STEP

/** Headings with their options. A heading stays with its first option, and an option's title with its first line. */
export function offer(offers: readonly Offer[]): Block[] {
  return offers.flatMap(({ title, remark, options }) => [
    gap(3 * STEP),
    heading(title, remark),
    ...options.flatMap(optionBlocks),
    gap(STEP)
  ])
}

function heading(title: string, remark: string | null): Block {
  const titles = wrap(title, WIDTH, 'bold', SIZE.body)
  const height = titles.length * leading(SIZE.body) + (remark ? leading(SIZE.small) : 0) + STEP
  return {
    height,
    glued: true,
    paint: y => [
      ...column(titles, PAGE.left, y, { face: 'bold', size: SIZE.body }),
      ...(remark
        ? textAt(remark, PAGE.left, y + titles.length * leading(SIZE.body), { size: SIZE.small, color: COLOR.soft })
        : []),
      ruleAt(y + height - 1, COLOR.rule)
    ]
  }
}

function optionBlocks({ title, badge, text, amount, lines }: OfferOption): Block[] {
  const room = shownWidth(amount, 'bold', SIZE.body)
  const titles = wrap(title, WIDTH - room - 4 * STEP, 'bold', SIZE.body)
  const below = [
    ...(badge ? [badge] : []),
    ...(text ? wrap(text, WIDTH * 0.86 - INDENT, 'regular', SIZE.small) : [])
  ]
  const head: Block = {
    height: STEP + titles.length * leading(SIZE.body),
    glued: below.length + lines.length > 0,
    paint: y => [
      ...column(titles, PAGE.left, y + STEP, { face: 'bold', size: SIZE.body }),
      ...textAt(amount, RIGHT, y + STEP, { face: 'bold', size: SIZE.body, align: 'right', room })
    ]
  }
  const explained = below.map((line, index): Block => ({
    height: leading(SIZE.small),
    glued: index < below.length - 1 || lines.length > 0,
    paint: y => column([line], PAGE.left + INDENT, y, { size: SIZE.small, color: COLOR.soft })
  }))
  return [head, ...explained, ...lines.flatMap(lineBlocks)]
}

function lineBlocks([name, price]: [string, string]): Block[] {
  const room = shownWidth(price, 'regular', SIZE.small)
  const names = wrap(name, WIDTH - INDENT - room - 4 * STEP, 'regular', SIZE.small)
  return [{
    height: names.length * leading(SIZE.small) + STEP / 2,
    paint: y => [
      ...column(names, PAGE.left + INDENT, y, { size: SIZE.small }),
      ...textAt(price, RIGHT, y, { size: SIZE.small, color: COLOR.soft, align: 'right', room })
    ]
  }]
}
