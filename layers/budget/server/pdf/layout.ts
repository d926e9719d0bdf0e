import { displayMoney } from '@svc/kit/money'
import { decisionBlock } from './decision.ts'
import type { BudgetDocument } from './document.ts'
import { facts, letterhead, titleBlock } from './letterhead.ts'
import { labelsFor, type Labels } from './labels.ts'
import { ruleAt, textAt, type Mark } from './marks.ts'
import { gap, paginate, type Block } from './paginate.ts'
import { COLOR, leading, PAGE, RIGHT, SIZE, STEP, WIDTH } from './style.ts'
import { treatmentTable } from './table.ts'
import { ellipsis, printable } from './text.ts'
import { notes, totals } from './totals.ts'

export interface LaidOut { pages: Mark[][], title: string, language: string, /** The total as it is printed. */ total: string }

const FOOT = PAGE.height - PAGE.bottom + 5 * STEP

/** Everything that will be on the pages, and where. Pure: same document, same marks. */
export function layOut(document: BudgetDocument): LaidOut {
  const { labels, language, format_locale: locale } = labelsFor(document.locale)
  const money = (minor: bigint) => displayMoney(minor, document.currency, locale)
  const blocks: Block[] = [
    letterhead(document.clinic),
    gap(6 * STEP),
    titleBlock(document, labels),
    gap(3 * STEP),
    ...facts(document, labels, locale),
    ...treatmentTable(document, labels, locale, money),
    ...totals(document, labels, money),
    ...notes(document.notes, labels),
    ...(document.decision ? [decisionBlock(document, labels, locale, money)] : [])
  ]
  const running = PAGE.top + leading(SIZE.small) + 5 * STEP
  const pages = paginate(blocks, { top: page => page === 0 ? PAGE.top : running, bottom: PAGE.height - PAGE.bottom })
  return {
    pages: pages.map((marks, index) => [...(index ? runningHead(document, labels) : []), ...marks, ...foot(document, labels, index + 1, pages.length)]),
    title: `${labels.title} ${document.number}`,
    language,
    total: printable(money(document.totals.total), 'bold')
  }
}

/** Pages after the first still say whose and which they are. */
function runningHead(document: BudgetDocument, labels: Labels): Mark[] {
  const style = { size: SIZE.small, color: COLOR.soft } as const
  return [
    ...textAt(ellipsis(document.clinic.name, WIDTH * 0.6, 'regular', SIZE.small), PAGE.left, PAGE.top, style),
    ...textAt(referenceOf(document, labels), RIGHT, PAGE.top, { ...style, align: 'right' }),
    ruleAt(PAGE.top + leading(SIZE.small) + STEP)
  ]
}

function foot(document: BudgetDocument, labels: Labels, page: number, pages: number): Mark[] {
  const style = { size: SIZE.tiny, color: COLOR.pale } as const
  return [
    ruleAt(FOOT - 2 * STEP),
    ...textAt(`${labels.title} ${referenceOf(document, labels)}`, PAGE.left, FOOT, style),
    ...textAt(labels.page(page, pages), RIGHT, FOOT, { ...style, align: 'right' })
  ]
}

const referenceOf = (document: BudgetDocument, labels: Labels): string => `${document.number} · ${labels.version} ${document.version}`
