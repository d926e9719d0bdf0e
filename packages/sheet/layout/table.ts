import type { Column, Section, Sheet } from '../sheet.ts'
import { shownWidth, wrap } from '../text/text.ts'
import { column } from './letterhead.ts'
import { ruleAt, textAt, type Mark, type TextStyle } from './marks.ts'
import type { Block } from './paginate.ts'
import { COLOR, leading, PAGE, RIGHT, SIZE, STEP, WIDTH } from './style.ts'

const GAP = 3 * STEP
const PAD = 1.5 * STEP
const DETAIL_WIDTH = 58
/** The maximum number of lines in a row. Longer names continue in another row, so that each row fits on a page. */
const MAX_LINES = 30

const STYLES: Record<Column['kind'], TextStyle> = {
  name: {},
  detail: { color: COLOR.soft },
  figure: { color: COLOR.soft },
  struck: { color: COLOR.pale, struck: true },
  amount: { face: 'bold' }
}

interface Place { left: number, right: number, width: number, isText: boolean, style: TextStyle, title: string }

type Table = Pick<Sheet, 'table_title' | 'columns' | 'rows' | 'sections'>

/** The heading, which is repeated on each page, and one block per row. The last row stays with the sums. */
export function table({ table_title, columns, rows, sections = [] }: Table): Block[] {
  const places = placesOf(columns, [rows, ...sections.map(section => section.rows)].flat())
  const head = heading(places)
  const rowsOf = (rows: string[][], isEnd: boolean) =>
    rows.flatMap((cells, index) => blocksOf(cells, places, isEnd && index === rows.length - 1))
  const body = [
    ...rowsOf(rows, sections.length === 0),
    ...sections.flatMap((section, index) => {
      const isEnd = index === sections.length - 1
      return [sectionHead(section, isEnd), ...rowsOf(section.rows, isEnd)]
    })
  ]
  return [...titled(table_title), { ...head, glued: true }, ...body.map(block => ({ ...block, head }))]
}

/** A section's heading, which stays with its first row. Without rows it ends with a line. */
function sectionHead({ title, answer, rows }: Section, isEnd: boolean): Block {
  const titles = wrap(title, WIDTH, 'regular', SIZE.small)
  const answers = wrap(answer, WIDTH, 'bold', SIZE.body)
  const above = PAD + titles.length * leading(SIZE.small)
  const isEmpty = rows.length === 0
  const height = above + answers.length * leading(SIZE.body) + (isEmpty ? PAD : 0)
  return {
    height,
    glued: !isEmpty || isEnd,
    paint: y => [
      ...column(titles, PAGE.left, y + PAD, { size: SIZE.small, color: COLOR.soft }),
      ...column(answers, PAGE.left, y + above, { face: 'bold', size: SIZE.body }),
      ...(isEmpty ? [ruleAt(y + height - 0.6, isEnd ? COLOR.rule : COLOR.hair)] : [])
    ]
  }
}

function titled(title: string | undefined): Block[] {
  if (!title) return []
  return [{
    height: leading(SIZE.body) + STEP,
    glued: true,
    paint: y => textAt(title, PAGE.left, y, { face: 'bold', size: SIZE.body })
  }]
}

/** Columns of figures are as wide as their widest text. The name's column gets the rest. */
function placesOf(columns: Column[], rows: string[][]): Place[] {
  const widths = columns.map(({ kind, title }, at) => kind === 'detail'
    ? DETAIL_WIDTH
    : Math.max(
        shownWidth(title, 'bold', SIZE.small),
        ...rows.map(cells => shownWidth(cells[at] ?? '', 'bold', SIZE.body))
      ))
  return columns.map(({ kind, title }, at) => {
    const right = RIGHT - widths.slice(at + 1).reduce((sum, width) => sum + width + GAP, 0)
    const left = at === 0 ? PAGE.left : right - widths[at]!
    const isText = kind === 'name' || kind === 'detail'
    return { left, right, width: right - left, isText, style: STYLES[kind], title }
  })
}

function heading(places: Place[]): Block {
  const style = { face: 'bold', size: SIZE.small, color: COLOR.soft } as const
  return {
    height: leading(SIZE.small) + STEP,
    paint: y => [
      ...places.flatMap(({ title, isText, left, right, width }) => isText
        ? textAt(title, left, y, style)
        : textAt(title, right, y, { ...style, align: 'right', room: width })),
      ruleAt(y + leading(SIZE.small) + STEP - 1, COLOR.soft, 0.8)
    ]
  }
}

function blocksOf(cells: string[], places: Place[], isLast: boolean): Block[] {
  const texts = places.map(({ isText, width }, at) =>
    isText ? wrap(cells[at] ?? '', width, 'regular', SIZE.body) : [cells[at] ?? ''])
  const count = Math.max(1, Math.ceil(Math.max(...texts.map(lines => lines.length)) / MAX_LINES))
  return Array.from({ length: count }, (_, part) => {
    const parts = texts.map(lines => lines.slice(part * MAX_LINES, (part + 1) * MAX_LINES))
    const height = Math.max(1, ...parts.map(lines => lines.length)) * leading(SIZE.body) + 2 * PAD
    const ends = isLast && part === count - 1
    return {
      height,
      // The last rows stay with the total, which must not be alone on a page.
      glued: ends,
      paint: y => [
        ...parts.flatMap((lines, at) => cellAt(lines, places[at]!, y + PAD)),
        ruleAt(y + height - 0.6, ends ? COLOR.rule : COLOR.hair)
      ]
    }
  })
}

const cellAt = (lines: string[], { isText, left, right, width, style }: Place, y: number): Mark[] => isText
  ? column(lines, left, y, { ...style, size: SIZE.body })
  : column(lines, right, y, { ...style, size: SIZE.body, align: 'right', room: width })
