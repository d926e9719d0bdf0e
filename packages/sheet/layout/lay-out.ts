import type { Letterhead, Sheet } from '../sheet.ts'
import { printable, wrap } from '../text/text.ts'
import { acceptance } from './acceptance.ts'
import { figure } from './figure.ts'
import { accentOf, column, facts, letterhead, titleBlock } from './letterhead.ts'
import type { Mark } from './marks.ts'
import { notes, terms } from './notes.ts'
import { offer } from './offer.ts'
import { toPages } from './pages.ts'
import { gap, type Block } from './paginate.ts'
import { COLOR, leading, PAGE, SIZE, STEP, WIDTH } from './style.ts'
import { sums } from './sums.ts'
import { table } from './table.ts'

export interface LaidOut {
  pages: Mark[][]
  title: string
  language: string
  /** The total as it is printed. */ total: string
}

/** All marks on the pages with their places. Pure: equal sheets give equal marks. */
export function layOut(sheet: Sheet, clinic: Letterhead): LaidOut {
  const { title, number, below, language, page } = sheet
  const accent = accentOf(clinic)
  const blocks: Block[] = [
    letterhead(clinic),
    gap(6 * STEP),
    titleBlock(sheet),
    gap(3 * STEP),
    ...(sheet.banner ? [banner(sheet.banner, accent), gap(4 * STEP)] : []),
    ...facts(sheet.named, sheet.short),
    ...(sheet.rows.length > 0 || !sheet.offers?.length ? table(sheet) : []),
    ...offer(sheet.offers ?? []),
    ...sums(sheet.sums),
    ...(sheet.left_out?.length ? [...offer(sheet.left_out), gap(3 * STEP)] : []),
    ...(sheet.figure ? figure(sheet.figure) : []),
    ...(sheet.notes ? notes(sheet.notes) : []),
    ...(sheet.terms ? terms(sheet.terms) : []),
    ...(sheet.acceptance ? [acceptance(sheet.acceptance, accent)] : [])
  ]
  return {
    pages: toPages(blocks, { clinic, title, language, page, reference: [number, below].filter(Boolean).join(' · ') }),
    title: `${title} ${number}`,
    language,
    total: printable(sheet.sums.total[1])
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
