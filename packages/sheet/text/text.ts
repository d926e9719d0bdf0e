import { baseOf, FROM_LEFT, FROM_RIGHT, startingAt } from './direction.ts'
import { face } from './fonts.ts'
import { isCovered, runsOf, widthOfRuns } from './runs.ts'
import type { Face, Size } from '../layout/style.ts'

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
// Controls and invisible formatting characters, such as direction overrides, joiners, variation selectors and tags.
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Variation_Selector}]/gu

/**
 * Text as it can be drawn, on one line: composed, without controls and direction marks, except a leading one that sets
 * the line's direction. Never throws.
 */
export function printable(text: string): string {
  const mark = text.startsWith(FROM_RIGHT) ? FROM_RIGHT : text.startsWith(FROM_LEFT) ? FROM_LEFT : ''
  const clean = text.toWellFormed().normalize('NFC').replace(/\s+/gu, keepNoBreak).replace(INVISIBLE, '').trim()
  return clean && mark + clean
}

// A line must not break at a number's group separator.
const keepNoBreak = (space: string) => /^[\u00A0\u202F]$/.test(space) ? '\u00A0' : ' '

export const widthOf = (text: string, name: Face, size: Size): number =>
  isCovered(text, name) ? face(name).metrics.width(text, size) : widthOfRuns(runsOf(text, name), size)

/** The width of a raw text, as `printable` returns it. */
export const shownWidth = (text: string, name: Face, size: Size): number => widthOf(printable(text), name, size)

/**
 * Splits text into lines that fit `width`: at spaces, or between characters of a word that is too long. Each line keeps
 * its paragraph's direction. Empty text gives no lines.
 */
export function wrap(text: string, width: number, name: Face, size: Size): string[] {
  return text.split(/\r\n|[\r\n\u2028\u2029]/).flatMap((paragraph, index, all) => {
    const line = printable(paragraph)
    if (line) return wrapLine(line, width, name, size).map(part => startingAt(baseOf(line), part))
    return index > 0 && index < all.length - 1 ? [''] : []
  })
}

function wrapLine(text: string, width: number, name: Face, size: Size): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line ? `${line} ${word}` : word
    if (widthOf(longer, name, size) <= width) {
      line = longer
      continue
    }
    if (line) lines.push(line)
    const pieces = splitWord(word, width, name, size)
    lines.push(...pieces.slice(0, -1))
    line = pieces.at(-1)!
  }
  lines.push(line)
  return lines
}

function splitWord(word: string, width: number, name: Face, size: Size): string[] {
  if (widthOf(word, name, size) <= width) return [word]
  const pieces: string[] = []
  let piece = ''
  for (const { segment } of graphemes.segment(word)) {
    if (piece && widthOf(piece + segment, name, size) > width) {
      pieces.push(piece)
      piece = ''
    }
    piece += segment
  }
  return [...pieces, piece]
}

/** Shortens a text to one line of at most `width`, with an ellipsis if it was longer. */
export function ellipsis(text: string, width: number, name: Face, size: Size): string {
  const [first = '', ...rest] = wrap(text.replace(/\s+/g, ' '), width, name, size)
  if (!rest.length) return first
  const short = Array.from(graphemes.segment(first), ({ segment }) => segment)
  while (short.length > 0 && widthOf(`${short.join('')}…`, name, size) > width) short.pop()
  return `${short.join('').trimEnd()}…`
}
