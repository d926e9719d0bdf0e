import { create } from 'qrcode'
import type { Acceptance } from '../sheet.ts'
import { column } from './letterhead.ts'
import type { Mark } from './marks.ts'
import { COLOR, leading, PAGE, SIZE, STEP, WIDTH } from './style.ts'
import { widthOf, wrap } from '../text/text.ts'

/** The side of the code: 2.3 cm, which a phone can read from paper at arm's length. */
const CODE = 65
/** The white margin: four modules of the coarsest code (ISO/IEC 18004, 5.3.8). */
const QUIET = 3 * STEP

/** How to check the file: the URL of the check page as a QR code, with a text and a link beside it. */
export function checkBlock(
  { title, url, hint: advice }: Acceptance['check']
): { height: number, paint (y: number): Mark[] } {
  const left = PAGE.left + CODE + QUIET + 2 * STEP
  const room = PAGE.left + WIDTH - left
  const address = wrap(url, room, 'regular', SIZE.small)
  const hint = wrap(advice, room, 'regular', SIZE.small)
  const line = leading(SIZE.small)
  const text = (1 + address.length + hint.length) * line + 2 * STEP
  const height = QUIET + Math.max(CODE, text)
  return {
    height,
    paint: (y) => {
      const top = y + QUIET + Math.max(0, (CODE - text) / 2)
      const link = {
        x: left,
        y: top + line + STEP,
        width: Math.max(...address.map(part => widthOf(part, 'regular', SIZE.small))),
        height: address.length * line
      }
      return [
        {
          kind: 'dots',
          x: PAGE.left,
          y: y + QUIET,
          width: CODE,
          height: CODE,
          rows: modulesOf(url),
          color: COLOR.ink
        },
        { kind: 'link', url, x: PAGE.left, y: y + QUIET, width: CODE, height: CODE },
        ...column([title], left, top, { face: 'bold', size: SIZE.small }),
        ...column(address, left, link.y, { size: SIZE.small }),
        { kind: 'link', url, ...link },
        ...column(hint, left, link.y + link.height + STEP, { size: SIZE.small, color: COLOR.soft })
      ]
    }
  }
}

/** Rows of the QR code, `1` where it is dark. Level M is still readable with 15 % of it damaged. */
export function modulesOf(text: string): string[] {
  const { modules: { size, data } } = create(text, { errorCorrectionLevel: 'M' })
  const bits = Array.from(data, bit => bit ? '1' : '0').join('')
  return Array.from({ length: size }, (_, row) => bits.slice(row * size, (row + 1) * size))
}
