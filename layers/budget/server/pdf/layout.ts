import { displayMoney } from '@svc/kit/money'
import { decisionBlock } from './decision.ts'
import type { BudgetDocument, Letterhead } from './document.ts'
import { languageFromRight, startingAt } from './direction.ts'
import { displayDate, displayDay } from './format.ts'
import { facts, letterhead, titleBlock } from './letterhead.ts'
import { labelsFor } from './labels.ts'
import { mirrored, ruleAt, textAt, type Mark } from './marks.ts'
import { gap, paginate, type Block } from './paginate.ts'
import { COLOR, leading, PAGE, RIGHT, SIZE, STEP, WIDTH } from './style.ts'
import { treatmentTable } from './table.ts'
import { ellipsis, printable } from './text.ts'
import { notes, totals } from './totals.ts'

export interface LaidOut {
  pages: Mark[][]
  title: string
  language: string
  /** The total as it is printed. */ total: string
}

const FOOT = PAGE.height - PAGE.bottom + 5 * STEP

/** Everything that will be on the pages, and where. Pure: same document, same marks. */
export function layOut(document: BudgetDocument): LaidOut {
  const { labels, language, format_locale: locale } = labelsFor(document.locale)
  const money = (minor: bigint) => displayMoney(minor, document.currency, locale)
  const blocks: Block[] = [
    letterhead(document.clinic),
    gap(6 * STEP),
    titleBlock({
      title: labels.title,
      state: document.status === 'sent' ? null : labels.status[document.status],
      number: document.number,
      below: `${labels.version} ${document.version}`
    }),
    gap(3 * STEP),
    ...facts([
      [labels.patient, document.patient_name],
      [labels.professional, document.professional_name ?? labels.unassigned]
    ], [
      [labels.date, displayDay(document.dated_at, locale, document.time_zone)],
      [labels.valid, document.valid_until ? labels.until(displayDate(document.valid_until, locale)) : '–']
    ]),
    ...treatmentTable(document, labels, locale, money),
    ...totals(document, labels, money),
    ...notes(document.notes, labels),
    ...(document.decision ? [decisionBlock(document, labels, locale, money)] : [])
  ]
  const reference = referenceIn(language, `${document.number} · ${labels.version} ${document.version}`)
  return {
    pages: toPages(blocks, { clinic: document.clinic, title: labels.title, reference, page: labels.page, language }),
    title: `${labels.title} ${document.number}`,
    language,
    total: printable(money(document.totals.total), 'bold')
  }
}

export interface Running {
  clinic: Letterhead
  title: string
  reference: string
  page: (page: number, pages: number) => string
  language: string
}

/** What starts with a number reads like the page around it. */
export const referenceIn = (language: string, reference: string): string =>
  languageFromRight(language) ? startingAt('right', reference) : reference

/**
 * Blocks onto pages that all say whose and which they are. They are laid out from the left, and turned around as a
 * whole for a language that reads from the right.
 */
export function toPages(blocks: Block[], running: Running): Mark[][] {
  const top = PAGE.top + leading(SIZE.small) + 5 * STEP
  const pages = paginate(blocks, { top: page => page === 0 ? PAGE.top : top, bottom: PAGE.height - PAGE.bottom })
  const whole = pages.map((marks, index) => [
    ...(index ? runningHead(running) : []),
    ...marks,
    ...foot(running, running.page(index + 1, pages.length))
  ])
  return languageFromRight(running.language) ? whole.map(marks => marks.map(mirrored)) : whole
}

function runningHead({ clinic, reference }: Running): Mark[] {
  const style = { size: SIZE.small, color: COLOR.soft } as const
  return [
    ...textAt(ellipsis(clinic.name, WIDTH * 0.6, 'regular', SIZE.small), PAGE.left, PAGE.top, style),
    ...textAt(reference, RIGHT, PAGE.top, { ...style, align: 'right' }),
    ruleAt(PAGE.top + leading(SIZE.small) + STEP)
  ]
}

function foot({ title, reference }: Running, page: string): Mark[] {
  const style = { size: SIZE.tiny, color: COLOR.pale } as const
  return [
    ruleAt(FOOT - 2 * STEP),
    ...textAt(`${title} ${reference}`, PAGE.left, FOOT, style),
    ...textAt(page, RIGHT, FOOT, { ...style, align: 'right' })
  ]
}
