import type { Letterhead } from '../sheet.ts'
import { languageFromRight, startingAt } from '../text/direction.ts'
import { ellipsis } from '../text/text.ts'
import { mirrored, ruleAt, textAt, type Mark } from './marks.ts'
import { paginate, type Block } from './paginate.ts'
import { COLOR, leading, PAGE, RIGHT, SIZE, STEP, WIDTH } from './style.ts'

const FOOT = PAGE.height - PAGE.bottom + 5 * STEP

/** What is printed on every page. */
export interface Running {
  clinic: Letterhead
  title: string
  /** The number, and the text below it. */
  reference: string
  /** `Page {page} of {pages}` */
  page: string
  language: string
}

/**
 * Arranges blocks on pages with the document's name and page numbers. Pages are laid out left to right, and mirrored as
 * a whole for a right-to-left language.
 */
export function toPages(blocks: Block[], { reference, ...others }: Running): Mark[][] {
  const isFromRight = languageFromRight(others.language)
  // Text that starts with a number takes the page's direction.
  const running = { ...others, reference: isFromRight ? startingAt('right', reference) : reference }
  const top = PAGE.top + leading(SIZE.small) + 5 * STEP
  const pages = paginate(blocks, { top: page => page === 0 ? PAGE.top : top, bottom: PAGE.height - PAGE.bottom })
  const numbered = (page: number) =>
    running.page.replace('{page}', String(page)).replace('{pages}', String(pages.length))
  const whole = pages.map((marks, index) => [
    ...(index ? runningHead(running) : []),
    ...marks,
    ...foot(running, numbered(index + 1))
  ])
  return isFromRight ? whole.map(marks => marks.map(mirrored)) : whole
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
