type Side = 'left' | 'right'

/** Unicode's direction marks. A line that starts with one has that direction, whatever its first letter is. */
export const FROM_RIGHT = '\u200F'
export const FROM_LEFT = '\u200E'

const RIGHT = /[\p{Script=Arabic}\p{Script=Hebrew}،؛؟ـ]/u
/** Scripts whose text the font engine reverses. */
export const TURNS = /[\p{Script=Arabic}\p{Script=Hebrew}]/u
/** Quadrant marks of Palmer's notation of teeth; their side of the number is significant. */
const CORNER = /[┘└┌┐]/
const DIGIT = /\p{Nd}/u
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Whether a language, given as a BCP 47 tag, is written right to left. */
export const languageFromRight = (tag: string): boolean => /^(?:ar|he)\b/i.test(tag)

export const readsFromRight = (text: string): boolean => RIGHT.test(text)

/** The side where a line starts, decided by its mark or else by its first letter. */
export function baseOf(line: string): Side {
  if (line.startsWith(FROM_RIGHT)) return 'right'
  if (line.startsWith(FROM_LEFT)) return 'left'
  return RIGHT.test(line.match(/\p{L}/u)?.[0] ?? '') ? 'right' : 'left'
}

/** Adds a direction mark to a line that would otherwise start on the wrong side. */
export const startingAt = (side: Side, line: string): string =>
  baseOf(line) === side ? line : (side === 'right' ? FROM_RIGHT : FROM_LEFT) + line

export const withoutMark = (line: string): string => line.replace(/^[\u200E\u200F]/, '')

/**
 * The drawn text, and the text that it means if they differ: a bracket in right-to-left text is mirrored.
 */
export interface Piece { drawn: string, means?: string }

/**
 * Splits a line into pieces to draw from left to right, each of one direction. The font engine reverses a piece of
 * Arabic and joins its letters, but would reverse the numbers in it too. Two levels of UAX 9 are enough for names,
 * notes and addresses. Unlike in UAX 9, a number stays in one piece with left-to-right text beside it, as in a
 * telephone number.
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

/**
 * The text of a line as it is read from a PDF that we made: pieces in drawing order, each with its letters in text
 * order.
 */
export const drawnText = (line: string): string => visualRuns(line).map(({ drawn, means }) => means ?? drawn).join('')

/** Converts text in glyph order to the font engine's input. */
export const givenText = (glyphs: string[]): string =>
  (TURNS.test(glyphs.join('')) ? glyphs.toReversed() : glyphs).join('')

/** Resolves letters and numbers first, then pairs of brackets (UAX 9, N0), then neutral characters. */
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

/** Letters and numbers have a direction; neutral characters have none. Signs belong to their number. */
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
 * Brackets are mirrored and form their own pieces. The font engine chooses a piece's direction by its letters, and
 * doesn't reverse a piece without letters.
 */
const turned = (text: string): Piece[] => text.split(/([()[\]{}<>«»])/).filter(Boolean).reverse().map((part) => {
  const place = PAIRS.indexOf(part)
  return place >= 0 ? { drawn: PAIRS[place ^ 1]!, means: part } : { drawn: TURNS.test(part) ? part : reversed(part) }
})

export const reversed = (text: string): string => Array.from(text).reverse().join('')
