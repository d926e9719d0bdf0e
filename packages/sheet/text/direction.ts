type Side = 'left' | 'right'

/** Unicode's two marks: a line that starts with one reads from that side, whatever letter comes first. */
export const FROM_RIGHT = '\u200F'
export const FROM_LEFT = '\u200E'

const RIGHT = /[\p{Script=Arabic}\p{Script=Hebrew}،؛؟ـ]/u
/** What makes the font engine turn a piece around. */
export const TURNS = /[\p{Script=Arabic}\p{Script=Hebrew}]/u
/** Quadrants of Palmer's notation of teeth: on the side of their number they say which one. */
const CORNER = /[┘└┌┐]/
const DIGIT = /\p{Nd}/u
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Of a BCP 47 tag. */
export const languageFromRight = (tag: string): boolean => /^(?:ar|he)\b/i.test(tag)

export const readsFromRight = (text: string): boolean => RIGHT.test(text)

/** Where a line starts: as its mark says, else as its first letter does. */
export function baseOf(line: string): Side {
  if (line.startsWith(FROM_RIGHT)) return 'right'
  if (line.startsWith(FROM_LEFT)) return 'left'
  return RIGHT.test(line.match(/\p{L}/u)?.[0] ?? '') ? 'right' : 'left'
}

/** The line with a mark where it would otherwise start on the wrong side. */
export const startingAt = (side: Side, line: string): string =>
  baseOf(line) === side ? line : (side === 'right' ? FROM_RIGHT : FROM_LEFT) + line

export const withoutMark = (line: string): string => line.replace(/^[\u200E\u200F]/, '')

/**
 * What is drawn, and what it means if that is another character: a bracket in right-to-left text is mirrored.
 */
export interface Piece { drawn: string, means?: string }

/**
 * A line as the pieces to draw from left to right, each of one direction: the font engine turns a piece of Arabic
 * around and joins its letters, but would turn the numbers in it around too. Two levels of UAX 9 are enough for names,
 * notes and addresses; other than there a number stays in one piece with what is written from the left beside it, as in
 * a telephone number.
 */
export function visualRuns(line: string): Piece[] {
  const base = baseOf(line)
  const text = withoutMark(line)
  if (base === 'left' && !RIGHT.test(text)) return [{ drawn: text }]
  const characters = Array.from(graphemes.segment(text), ({ segment }) => segment)
  const sides = sidesOf(characters, base)
  const runs: { side: Side, text: string }[] = []
  characters.forEach((text, at) => {
    const side = sides[at]!
    if (runs.at(-1)?.side === side) runs.at(-1)!.text += text
    else runs.push({ side, text })
  })
  if (base === 'right') runs.reverse()
  return runs.flatMap(({ side, text }) =>
    side === 'right' ? turned(text) : [{ drawn: TURNS.test(text) ? reversed(text) : text }]
  )
}

/** The line as it can be read in a file of ours: in the order of drawing, letters that belong together in theirs. */
export const drawnText = (line: string): string => visualRuns(line).map(({ drawn, means }) => means ?? drawn).join('')

/** Of text in the order of glyphs, what the font engine was given. */
export const givenText = (glyphs: string[]): string =>
  (TURNS.test(glyphs.join('')) ? glyphs.toReversed() : glyphs).join('')

/** Letters and numbers first, then brackets, as pairs (UAX 9, N0), then what is between. */
function sidesOf(characters: string[], base: Side): Side[] {
  const strong = characters.map((character, at) =>
    sideOf(character, { before: characters[at - 1], after: characters[at + 1] })
  )
  for (const [open, close] of pairsOf(characters)) {
    const inside = strong.slice(open + 1, close).filter(side => side !== null)
    if (!inside.length) continue
    const before = strong.slice(0, open).findLast(side => side !== null) ?? base
    strong[open] = strong[close] = inside.includes(base) ? base : before === inside[0] ? before : base
  }
  return strong.map((side, at) => side ?? between(strong, at, base))
}

/** Letters and numbers have a side; what is between them has not. Signs belong to their number. */
function sideOf(character: string, { before = '', after = '' }: { before?: string, after?: string }): Side | null {
  if (
    DIGIT.test(character)
    || (/[%‰]/.test(character) && DIGIT.test(before))
    || (/[+−-]/.test(character) && DIGIT.test(after))
    || CORNER.test(character)
  )
    return 'left'
  if (RIGHT.test(character)) return 'right'
  return /\p{L}/u.test(character) ? 'left' : null
}

function between(strong: (Side | null)[], at: number, base: Side): Side {
  const before = strong.slice(0, at).findLast(side => side !== null) ?? base
  const after = strong.slice(at).find(side => side !== null) ?? base
  return before === after ? before : base
}

const PAIRS = '()[]{}<>«»'

function pairsOf(characters: string[]): [open: number, close: number][] {
  const open: { at: number, closing: string }[] = []
  const pairs: [number, number][] = []
  characters.forEach((character, at) => {
    const place = PAIRS.indexOf(character)
    if (place >= 0 && place % 2 === 0) open.push({ at, closing: PAIRS[place + 1]! })
    const opened = open.findLastIndex(({ closing }) => closing === character)
    if (opened < 0) return
    pairs.push([open[opened]!.at, at])
    open.length = opened
  })
  return pairs.sort(([one], [other]) => one - other)
}

/**
 * Brackets look the other way and are pieces of their own. The font engine turns a piece around by its letters, and one
 * without letters not at all.
 */
const turned = (text: string): Piece[] => text.split(/([()[\]{}<>«»])/).filter(Boolean).reverse().map((part) => {
  const place = PAIRS.indexOf(part)
  return place >= 0 ? { drawn: PAIRS[place ^ 1]!, means: part } : { drawn: TURNS.test(part) ? part : reversed(part) }
})

export const reversed = (text: string): string => Array.from(text).reverse().join('')
