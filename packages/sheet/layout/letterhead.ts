import type { Fact, Letterhead, Title } from '../sheet.ts'
import { shownWidth, wrap } from '../text/text.ts'
import { ruleAt, shifted, textAt, type Mark, type TextStyle } from './marks.ts'
import { type Block, gap } from './paginate.ts'
import { dataUrl, fit } from './picture.ts'
import { ACCENT, COLOR, leading, PAGE, RIGHT, SIZE, STEP, WIDTH, type Size } from './style.ts'

const LOGO = { width: 120, height: 40 }

export const accentOf = (clinic: Letterhead): string =>
  /^#[0-9a-f]{6}$/i.test(clinic.accent_color ?? '') ? clinic.accent_color! : ACCENT

/** Logo and name on the left, contact details on the right, and the accent line below. */
export function letterhead(clinic: Letterhead): Block {
  const logo = clinic.logo && fit(clinic.logo, LOGO)
  const indent = logo ? logo.width + 3 * STEP : 0
  const contact = [clinic.address, [clinic.phone, clinic.email].filter(Boolean).join('  ·  ')]
    .flatMap(text => text ? wrap(text, WIDTH * 0.46, 'regular', SIZE.small) : [])
  const name = wrap(clinic.name, WIDTH * 0.5 - indent, 'bold', SIZE.heading)
  const height = Math.max(logo?.height ?? 0, name.length * leading(SIZE.heading), contact.length * leading(SIZE.small))
  return {
    height: height + 3 * STEP + 2,
    paint: y => [
      ...(logo
        ? [
            {
              kind: 'image',
              x: PAGE.left,
              y: y + (height - logo.height) / 2,
              ...logo,
              data: dataUrl(clinic.logo!)
            } as const
          ]
        : []),
      ...column(name, PAGE.left + indent, y + (height - name.length * leading(SIZE.heading)) / 2, {
        face: 'bold',
        size: SIZE.heading
      }),
      ...column(contact, RIGHT, y + (height - contact.length * leading(SIZE.small)) / 2, {
        size: SIZE.small,
        color: COLOR.soft,
        align: 'right'
      }),
      ruleAt(y + height + 3 * STEP, accentOf(clinic), 2)
    ]
  }
}

type Style = TextStyle & { size: Size }

/** Lines one below the other. */
export const column = (lines: string[], x: number, y: number, style: Style): Mark[] =>
  lines.flatMap((line, index) =>
    textAt(line, x, y + index * leading(style.size) + (leading(style.size) - style.size * 1.2) / 2, style)
  )

/** The document's title and state on the left, its number and the text below it on the right. */
export function titleBlock({ title, state, number, below }: Title): Block {
  const beside = shownWidth(title, 'bold', SIZE.title) + 3 * STEP
  const shape = state === null ? [] : pill(state)
  return {
    height: leading(SIZE.title) + leading(SIZE.body),
    paint: y => [
      ...textAt(title, PAGE.left, y, { face: 'bold', size: SIZE.title }),
      ...shape.map(mark => shifted(mark, PAGE.left + beside, y + 7)),
      ...textAt(number, RIGHT, y + 6, { face: 'bold', size: SIZE.heading, align: 'right' }),
      ...textAt(below, RIGHT, y + leading(SIZE.title) - STEP, { size: SIZE.small, color: COLOR.soft, align: 'right' })
    ]
  }
}

/** The state as a word in a rounded shape. */
function pill(word: string): Mark[] {
  const width = shownWidth(word, 'bold', SIZE.tiny) + 4 * STEP
  return [
    { kind: 'box', x: 0, y: 0, width, height: 3.5 * STEP, color: COLOR.hair, radius: 1.75 * STEP },
    ...textAt(word, 2 * STEP, 2.7, { face: 'bold', size: SIZE.tiny })
  ]
}

/** Facts side by side: short ones, such as dates, are as wide as needed; names, which come before, share the rest. */
export function facts(named: Fact[], short: Fact[]): Block[] {
  const cells = [...named, ...short]
  const space = 4 * STEP
  const needed = short.map(
    ([label, value]) =>
      Math.max(
        shownWidth(label, 'regular', SIZE.tiny),
        ...value.split('\n').map(line => shownWidth(line, 'regular', SIZE.body))
      ) + 1
  )
  const names = (WIDTH - needed.reduce((sum, width) => sum + width, 0) - (cells.length - 1) * space) / named.length
  const widths = [...named.map(() => names), ...needed]
  const texts = cells.map(([, value], index) => wrap(value, widths[index]!, 'regular', SIZE.body))
  const left = (index: number) => PAGE.left + widths.slice(0, index).reduce((sum, width) => sum + width + space, 0)
  const lines = Math.max(...texts.map(text => text.length))
  const block: Block = {
    height: leading(SIZE.tiny) + 2 + lines * leading(SIZE.body),
    paint: y => cells.flatMap(([label], index) => [
      ...textAt(label, left(index), y, { size: SIZE.tiny, color: COLOR.pale }),
      ...column(texts[index]!, left(index), y + leading(SIZE.tiny) + 2, { size: SIZE.body })
    ])
  }
  return [block, gap(5 * STEP)]
}
