import type { Letterhead } from './document.ts'
import { facts, letterhead, titleBlock, accentOf, column, type Fact, type Title } from './letterhead.ts'
import { referenceIn, toPages, type LaidOut } from './layout.ts'
import { ruleAt, textAt, type Mark } from './marks.ts'
import { gap, type Block } from './paginate.ts'
import { COLOR, leading, PAGE, RIGHT, SIZE, STEP, WIDTH } from './style.ts'
import { printable, shownWidth, wrap } from './text.ts'
import { sums, type Sums } from './totals.ts'

const PAD = 1.5 * STEP
const GAP = 3 * STEP

/** A document of another module in the looks of the budget: plain values, all text ready to be printed. */
export interface Sheet extends Title {
  /** BCP 47, of the texts. */
  language: string
  /** Across the page below the title, for what must not be overlooked. */
  banner: string | null
  named: Fact[]
  short: Fact[]
  /** Headings and cells; the first column takes the room that the others, which are amounts, leave. */
  columns: string[]
  rows: string[][]
  sums: Sums
  /** `Page {page} of {pages}` */
  page: string
  /** The file's date. */
  dated_at: Date
}

/** As `layOut` of the budget. Pure: same sheet, same marks. */
export function layOutSheet(sheet: Sheet, clinic: Letterhead): LaidOut {
  const { title, number, below, language } = sheet
  const blocks: Block[] = [
    letterhead(clinic),
    gap(6 * STEP),
    titleBlock(sheet),
    gap(3 * STEP),
    ...(sheet.banner ? [banner(sheet.banner, accentOf(clinic)), gap(4 * STEP)] : []),
    ...facts(sheet.named, sheet.short),
    ...table(sheet),
    ...sums(sheet.sums)
  ]
  return {
    pages: toPages(blocks, {
      clinic, title, language,
      reference: referenceIn(language, [number, below].filter(Boolean).join(' · ')),
      page: (page, pages) => sheet.page.replace('{page}', String(page)).replace('{pages}', String(pages))
    }),
    title: `${title} ${number}`,
    language,
    total: printable(sheet.sums.total[1], 'bold')
  }
}

function banner(text: string, accent: string): Block {
  const lines = wrap(text, WIDTH - 6 * STEP, 'bold', SIZE.heading)
  const height = lines.length * leading(SIZE.heading) + 4 * STEP
  return {
    height,
    paint: y => [
      { kind: 'box', x: PAGE.left, y, width: WIDTH, height, color: COLOR.panel },
      { kind: 'box', x: PAGE.left, y, width: STEP, height, color: accent },
      ...column(lines, PAGE.left + 3 * STEP, y + 2 * STEP, { face: 'bold', size: SIZE.heading })
    ]
  }
}

/** The heading comes back on each page; the last row stays with the sums. */
function table({ columns, rows }: Sheet): Block[] {
  const widths = columns.map((title, at) => Math.max(
    shownWidth(title, 'bold', SIZE.small), ...rows.map(cells => shownWidth(cells[at] ?? '', 'bold', SIZE.body))))
  const rights = columns.map((_, at) => RIGHT - widths.slice(at + 1).reduce((sum, width) => sum + width + GAP, 0))
  const room = rights[0]! - PAGE.left
  const style = { face: 'bold', size: SIZE.small, color: COLOR.soft } as const
  const head: Block = {
    height: leading(SIZE.small) + STEP,
    paint: y => [
      ...columns.flatMap((title, at) =>
        at === 0
          ? textAt(title, PAGE.left, y, style)
          : textAt(title, rights[at]!, y, { ...style, align: 'right', room: widths[at]! })
      ),
      ruleAt(y + leading(SIZE.small) + STEP - 1, COLOR.soft, 0.8)
    ]
  }
  return [{ ...head, glued: true }, ...rows.map((cells, index): Block => {
    const last = index === rows.length - 1
    const lines = wrap(cells[0] ?? '', room, 'regular', SIZE.body)
    const height = Math.max(1, lines.length) * leading(SIZE.body) + 2 * PAD
    return {
      height,
      glued: last,
      head,
      paint: y => [
        ...row(cells, lines, { rights, widths }, y + PAD),
        ruleAt(y + height - 0.6, last ? COLOR.rule : COLOR.hair)
      ]
    }
  })]
}

const row = (
  cells: string[],
  lines: string[],
  { rights, widths }: { rights: number[], widths: number[] },
  y: number
): Mark[] => [
  ...column(lines, PAGE.left, y, { size: SIZE.body }),
  ...cells.slice(1).flatMap((cell, at) => {
    const isLast = at === cells.length - 2
    return column([cell], rights[at + 1]!, y, {
      size: SIZE.body,
      align: 'right',
      room: widths[at + 1]!,
      ...(isLast ? { face: 'bold' } : { color: COLOR.soft })
    })
  })
]
