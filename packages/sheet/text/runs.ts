import type { Face } from '../layout/style.ts'
import { reversed, TURNS, visualRuns, withoutMark, type Piece } from './direction.ts'
import { fallbackFor, fallbackNamed } from './fallback.ts'
import { face } from './fonts.ts'
import { familiesFor, type Family } from './scripts.ts'

/**
 * Text in one face, from left to right. `scale` is relative to the line's size; `means` is the text that copying gives.
 */
export interface Run { face: string, scale: number, text: string, means?: string }

/**
 * Emoji are wider than letters, so they are scaled down, as are the code points shown for characters without a font.
 */
const EMOJI = 0.8
const NUMBER = 0.74

/** Characters that all of the ordinary faces have. */
const PLAIN = /^[\u0020-\u007E\u00A0-\u017F\u2010-\u2022\u20AC]*$/
/** Scripts whose letters move beside each other, so that glyphs aren't in the order of the text. */
const SHAPED = /[\p{Script=Devanagari}\p{Script=Thai}\p{M}]/u
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Whether the face alone can draw the line. */
export function isCovered(line: string, name: Face): boolean {
  if (PLAIN.test(line)) return true
  const { has } = face(name).metrics
  return Array.from(withoutMark(line)).every(character => has(character.codePointAt(0)!))
}

/** Splits a line that the face can't draw alone into runs, to be drawn from left to right. */
export function runsOf(line: string, name: Face): Run[] {
  const families = familiesFor(line)
  return visualRuns(line).flatMap(piece => pieceRuns(piece, name, families))
}

export const widthOfRuns = (runs: readonly Run[], size: number): number =>
  runs.reduce((sum, { face: key, scale, text }) => sum + metricsNamed(key).width(text, size * scale), 0)

const metricsNamed = (key: string) => (fallbackNamed(key) ?? face(key as Face)).metrics

function pieceRuns({ drawn, means }: Piece, name: Face, families: readonly Family[]): Run[] {
  const runs: Run[] = []
  for (const { segment } of graphemes.segment(drawn)) {
    for (const run of graphemeRuns(segment, name, families)) {
      const last = runs.at(-1)
      if (last && last.face === run.face && last.scale === run.scale && run.scale !== NUMBER) last.text += run.text
      else runs.push(run)
    }
  }
  if (means !== undefined) return runs.map(run => ({ ...run, means }))
  return ordered(runs, drawn).map(run => SHAPED.test(run.text) ? { ...run, means: run.text } : run)
}

/** The engine reverses each run of right-to-left letters; we order the runs and reverse the rest. */
const ordered = (runs: Run[], drawn: string): Run[] => TURNS.test(drawn)
  ? runs.reverse().map(run =>
      TURNS.test(run.text) || run.scale === NUMBER ? run : { ...run, text: reversed(run.text) })
  : runs

/** Splits a text into runs so that a letter and its marks are in the same face, if one has them all. */
function graphemeRuns(segment: string, name: Face, families: readonly Family[]): Run[] {
  const characters = Array.from(segment)
  const points = characters.map(character => character.codePointAt(0)!)
  const { has } = face(name).metrics
  if (points.every(has)) return [{ face: name, scale: 1, text: segment }]
  const other = fallbackFor(points[0]!, families, name)
  if (other && points.every(other.metrics.has)) return [runIn(other, segment)]
  if (points.length > 1) return characters.flatMap(character => graphemeRuns(character, name, families))
  return [{ face: name, scale: NUMBER, text: `U+${points[0]!.toString(16).toUpperCase().padStart(4, '0')}` }]
}

const runIn = ({ key, family }: { key: string, family: Family }, text: string): Run =>
  ({ face: key, scale: family === 'emoji' ? EMOJI : 1, text })
