import type { Acceptance, Fact } from '../sheet.ts'
import { isCovered } from '../text/runs.ts'
import { ellipsis, printable, widthOf, wrap } from '../text/text.ts'
import { column } from './letterhead.ts'
import { ruleAt, textAt, type Mark } from './marks.ts'
import type { Block } from './paginate.ts'
import { dataUrl, fit } from './picture.ts'
import { checkBlock } from './qr-code.ts'
import { COLOR, leading, PAGE, SIZE, STEP, WIDTH } from './style.ts'

const SIGN = { width: 176, height: 80 }

/** Who accepted, how and when, in one block that is never split. Facts are on the left, the signature on the right. */
export function acceptance({ title, statement, facts, digest, signature, check }: Acceptance, accent: string): Block {
  const indent = Math.max(...[...facts, digest].map(([label]) => widthOf(label, 'regular', SIZE.small))) + 3 * STEP
  const lines = wrap(statement, WIDTH, 'regular', SIZE.body)
  const table = stack(facts, WIDTH - SIGN.width - 6 * STEP, indent)
  const proof = stack([digest], WIDTH, indent)
  const below = checkBlock(check)
  const top = 3 * STEP + leading(SIZE.heading) + STEP + lines.length * leading(SIZE.body) + 2 * STEP
  const body = Math.max(table.height, SIGN.height)
  return {
    height: top + body + 2 * STEP + proof.height + below.height,
    paint: y => [
      ruleAt(y, accent, 1),
      ...textAt(title, PAGE.left, y + 3 * STEP, { face: 'bold', size: SIZE.heading }),
      ...column(lines, PAGE.left, y + 4 * STEP + leading(SIZE.heading), { size: SIZE.body }),
      ...table.paint(y + top),
      ...signed(signature, PAGE.left + WIDTH - SIGN.width, y + top),
      ...proof.paint(y + top + body + 2 * STEP),
      ...below.paint(y + top + body + 2 * STEP + proof.height)
    ]
  }
}

/** Rows of labels and values. Values wrap beside their label. */
function stack(entries: Fact[], width: number, indent: number) {
  const line = leading(SIZE.small)
  const rows = entries.map(([label, value]) => ({ label, lines: wrap(value, width - indent, 'regular', SIZE.small) }))
  const heights = rows.map(row => Math.max(1, row.lines.length) * line + STEP / 2)
  const top = (index: number) => heights.slice(0, index).reduce((sum, height) => sum + height, 0)
  return {
    height: top(rows.length),
    paint: (y: number): Mark[] => rows.flatMap(({ label, lines }, index) => [
      ...column([label], PAGE.left, y + top(index), { size: SIZE.small, color: COLOR.pale }),
      ...column(lines, PAGE.left + indent, y + top(index), { size: SIZE.small })
    ])
  }
}

type Signature = Acceptance['signature']

/** The drawn image, typed name, or sentence of a click, above a line with the signer's name. */
function signed(signature: Signature, x: number, y: number): Mark[] {
  return [
    ...textAt(signature.label, x, y, { size: SIZE.tiny, color: COLOR.pale }),
    ...aboveTheLine(signature, x, y + leading(SIZE.tiny)),
    ruleAt(y + SIGN.height - leading(SIZE.small), COLOR.ink, 0.6, x, SIGN.width),
    ...textAt(
      ellipsis(signature.name, SIGN.width, 'regular', SIZE.small),
      x,
      y + SIGN.height - leading(SIZE.small) + STEP,
      { size: SIZE.small, color: COLOR.soft }
    )
  ]
}

function aboveTheLine({ name, method, image, sentence }: Signature, x: number, y: number): Mark[] {
  const room = { width: SIGN.width, height: SIGN.height - leading(SIZE.tiny) - leading(SIZE.small) - STEP }
  const picture = image && { type: 'image/png', bytes: image }
  const size = picture && fit(picture, room)
  if (method === 'drawn' && picture && size) {
    return [
      {
        kind: 'image',
        x: x + (room.width - size.width) / 2,
        y: y + (room.height - size.height),
        ...size,
        data: dataUrl(picture)
      }
    ]
  }
  if (method === 'typed') {
    // The handwriting font has fewer letters than the upright face, and no Arabic.
    const face = isCovered(printable(name), 'script') ? 'script' : 'regular'
    const size = [SIZE.title, SIZE.heading].find(
      size => widthOf(printable(name), face, size) <= room.width
    )
    const shown = size ? name : ellipsis(name, room.width, face, SIZE.body)
    return textAt(shown, x, y + room.height - (size ?? SIZE.body) * 1.3, { face, size: size ?? SIZE.body })
  }
  const lines = wrap(sentence, room.width, 'regular', SIZE.small)
  return column(lines, x, y + room.height - lines.length * leading(SIZE.small), { size: SIZE.small })
}
