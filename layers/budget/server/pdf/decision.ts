import { checkBlock } from './check.ts'
import type { BudgetDocument, DocumentDecision } from './document.ts'
import { comma, displayInstant } from './format.ts'
import type { Labels } from './labels.ts'
import { accentOf, column } from './letterhead.ts'
import { ruleAt, textAt, type Mark } from './marks.ts'
import type { Block } from './paginate.ts'
import { dataUrl, fit } from './picture.ts'
import { COLOR, leading, PAGE, SIZE, STEP, WIDTH } from './style.ts'
import { ellipsis, MISSING, printable, widthOf, wrap } from './text.ts'

const SIGN = { width: 176, height: 80 }

/** Who accepted what, how and when: one block that is never cut. Facts on the left, the signature on the right. */
export function decisionBlock(
  document: BudgetDocument,
  labels: Labels,
  locale: string,
  money: (minor: bigint) => string
): Block {
  const decision = document.decision!
  const facts = factsOf(decision, document.time_zone, labels, locale)
  const digest: [string, string] = [labels.content_digest, decision.content_digest]
  const indent = Math.max(...[...facts, digest].map(([label]) => widthOf(label, 'regular', SIZE.small))) + 3 * STEP
  const statement = wrap(
    labels.statement(document.number, document.version, money(document.totals.total)),
    WIDTH,
    'regular',
    SIZE.body
  )
  const table = stack(facts, WIDTH - SIGN.width - 6 * STEP, indent)
  const proof = stack([digest], WIDTH, indent)
  const check = checkBlock(decision.check_url, labels)
  const top = 3 * STEP + leading(SIZE.heading) + STEP + statement.length * leading(SIZE.body) + 2 * STEP
  const body = Math.max(table.height, SIGN.height)
  return {
    height: top + body + 2 * STEP + proof.height + check.height,
    paint: y => [
      ruleAt(y, accentOf(document.clinic), 1),
      ...textAt(labels.decision, PAGE.left, y + 3 * STEP, { face: 'bold', size: SIZE.heading }),
      ...column(statement, PAGE.left, y + 4 * STEP + leading(SIZE.heading), { size: SIZE.body }),
      ...table.paint(y + top),
      ...signature(decision, labels, PAGE.left + WIDTH - SIGN.width, y + top),
      ...proof.paint(y + top + body + 2 * STEP),
      ...check.paint(y + top + body + 2 * STEP + proof.height)
    ]
  }
}

function factsOf(decision: DocumentDecision, timeZone: string, labels: Labels, locale: string): [string, string][] {
  const local: [string, string][]
    = timeZone === 'UTC' ? [] : [['', displayInstant(decision.decided_at, locale, timeZone)]]
  return [
    [labels.signer, decision.signer_name],
    [labels.relationship, labels.relationships[decision.relationship]],
    [labels.method, `${labels.methods[decision.method]}${comma(locale)}${labels.via[decision.decided_via]}`],
    [labels.decided_at, displayInstant(decision.decided_at, locale, 'UTC')],
    ...local
  ]
}

/** Label and value in rows; values wrap beside their label. */
function stack(entries: [string, string][], width: number, indent: number) {
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

/** Drawn image, typed name or the click's sentence, over a line with the signer's name. */
function signature(decision: DocumentDecision, labels: Labels, x: number, y: number): Mark[] {
  return [
    ...textAt(labels.signature, x, y, { size: SIZE.tiny, color: COLOR.pale }),
    ...signed(decision, labels, x, y + leading(SIZE.tiny)),
    ruleAt(y + SIGN.height - leading(SIZE.small), COLOR.ink, 0.6, x, SIGN.width),
    ...textAt(
      ellipsis(decision.signer_name, SIGN.width, 'regular', SIZE.small),
      x,
      y + SIGN.height - leading(SIZE.small) + STEP,
      { size: SIZE.small, color: COLOR.soft }
    )
  ]
}

function signed(decision: DocumentDecision, labels: Labels, x: number, y: number): Mark[] {
  const room = { width: SIGN.width, height: SIGN.height - leading(SIZE.tiny) - leading(SIZE.small) - STEP }
  const picture = decision.image && { type: 'image/png', bytes: decision.image }
  const size = picture && fit(picture, room)
  if (decision.method === 'drawn' && picture && size) {
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
  if (decision.method === 'typed') {
    // The hand has fewer letters than the upright face: no Arabic, for one.
    const face = printable(decision.signer_name, 'script').includes(MISSING) ? 'regular' : 'script'
    const size = [SIZE.title, SIZE.heading].find(
      size => widthOf(printable(decision.signer_name, face), face, size) <= room.width
    )
    const name = size ? decision.signer_name : ellipsis(decision.signer_name, room.width, face, SIZE.body)
    return textAt(name, x, y + room.height - (size ?? SIZE.body) * 1.3, { face, size: size ?? SIZE.body })
  }
  const lines = wrap(labels.click_statement, room.width, 'regular', SIZE.small)
  return column(lines, x, y + room.height - lines.length * leading(SIZE.small), { size: SIZE.small })
}
