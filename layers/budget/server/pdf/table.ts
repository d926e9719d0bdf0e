import type { BudgetDocument, DocumentLine } from './document.ts'
import { displayNumber } from './format.ts'
import type { Labels } from './labels.ts'
import { column } from './letterhead.ts'
import { ruleAt, textAt } from './marks.ts'
import type { Block } from './paginate.ts'
import { COLOR, leading, PAGE, RIGHT, SIZE, STEP } from './style.ts'
import { shownWidth, wrap } from './text.ts'

const GAP = 3 * STEP
const PAD = 1.5 * STEP
/** Lines of one row; a name that needs more goes on in a row of its own, so that each row fits a page. */
const MOST_LINES = 30

interface Columns {
  name: number
  tooth: number
  toothLeft: number
  quantity: number
  quantityRight: number
  original: number
  originalRight: number | null
  price: number
}
type Money = (minor: bigint) => string

/** The treatments: a heading that comes back on each page, then one block per row. */
export function treatmentTable(document: BudgetDocument, labels: Labels, locale: string, money: Money): Block[] {
  const columns = measure(document, labels, money)
  const head = heading(columns, labels)
  return [{ ...head, glued: true }, ...document.items.flatMap((item, index) =>
    rows(item, index === document.items.length - 1, columns, locale, money).map(row => ({ ...row, head })))]
}

/** Money columns as wide as their widest amount; the name gets the rest. */
function measure(document: BudgetDocument, labels: Labels, money: Money): Columns {
  const widest = (title: string, amounts: bigint[]) =>
    Math.max(
      shownWidth(title, 'bold', SIZE.small),
      ...amounts.map(amount => shownWidth(money(amount), 'bold', SIZE.body))
    )
  const price = widest(labels.price, document.items.map(item => item.price))
  const reduced = document.items.filter(item => item.original_price !== item.price)
  const original = reduced.length ? widest(labels.original_price, reduced.map(item => item.original_price)) : null
  const originalRight = original === null ? null : RIGHT - price - GAP
  const quantity = Math.max(shownWidth(labels.quantity, 'bold', SIZE.small), 24)
  const quantityRight = (originalRight ?? RIGHT - price) - (original === null ? GAP : original + GAP)
  const tooth = document.items.some(toothOf) ? 58 : 0
  const toothLeft = quantityRight - quantity - GAP - tooth
  return {
    name: toothLeft - (tooth ? GAP : 0) - PAGE.left,
    tooth,
    toothLeft,
    quantity,
    quantityRight,
    original: original ?? 0,
    originalRight,
    price
  }
}

function heading(columns: Columns, labels: Labels): Block {
  const style = { face: 'bold', size: SIZE.small, color: COLOR.soft } as const
  return {
    height: leading(SIZE.small) + STEP,
    paint: y => [
      ...textAt(labels.treatment, PAGE.left, y, style),
      ...(columns.tooth ? textAt(labels.tooth, columns.toothLeft, y, style) : []),
      ...textAt(labels.quantity, columns.quantityRight, y, { ...style, align: 'right', room: columns.quantity }),
      ...(columns.originalRight
        ? textAt(labels.original_price, columns.originalRight, y, { ...style, align: 'right', room: columns.original })
        : []),
      ...textAt(labels.price, RIGHT, y, { ...style, align: 'right', room: columns.price }),
      ruleAt(y + leading(SIZE.small) + STEP - 1, COLOR.soft, 0.8)
    ]
  }
}

const toothOf = ({ tooth, surfaces }: DocumentLine): string =>
  [tooth, surfaces && (tooth ? `(${surfaces})` : surfaces)].filter(Boolean).join(' ')

function rows(item: DocumentLine, last: boolean, columns: Columns, locale: string, money: Money): Block[] {
  const name = wrap(item.name, columns.name, 'regular', SIZE.body)
  const tooth = columns.tooth ? wrap(toothOf(item), columns.tooth, 'regular', SIZE.body) : []
  const count = Math.max(1, Math.ceil(Math.max(name.length, tooth.length) / MOST_LINES))
  return Array.from({ length: count }, (_, part) => {
    const slice = (lines: string[]) => lines.slice(part * MOST_LINES, (part + 1) * MOST_LINES)
    const lines = Math.max(1, slice(name).length, slice(tooth).length)
    const height = lines * leading(SIZE.body) + 2 * PAD
    const end = last && part === count - 1
    return {
      height,
      // The sum must not stand alone on a page.
      glued: end,
      paint: y => [
        ...column(slice(name), PAGE.left, y + PAD, { size: SIZE.body }),
        ...column(slice(tooth), columns.toothLeft, y + PAD, { size: SIZE.body, color: COLOR.soft }),
        ...(part === 0 ? amounts(item, y + PAD, columns, locale, money) : []),
        ruleAt(y + height - 0.6, end ? COLOR.rule : COLOR.hair)
      ]
    }
  })
}

function amounts(item: DocumentLine, y: number, columns: Columns, locale: string, money: Money) {
  const line = (text: string, x: number, style: object) =>
    column([text], x, y, { size: SIZE.body, align: 'right', ...style })
  const reduced = columns.originalRight !== null && item.original_price !== item.price
  return [
    ...line(displayNumber(item.quantity, locale), columns.quantityRight, { color: COLOR.soft, room: columns.quantity }),
    ...(reduced
      ? line(money(item.original_price), columns.originalRight!, {
          color: COLOR.pale,
          struck: true,
          room: columns.original
        })
      : []),
    ...line(money(item.price), RIGHT, { face: 'bold', room: columns.price })
  ]
}
