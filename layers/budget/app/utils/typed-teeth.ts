import { readTooth } from '../../shared/domain/teeth-input.ts'
import { isDeciduous, ROWS, type Notation } from '../../shared/domain/teeth.ts'

/** Between two teeth: "15 a 17", "15 to 17", "15 bis 17", "15 à 17", "15 إلى 17", "15 - 17". */
const TO_WORDS = new Set(['-', '–', '—', 'a', 'à', 'al', 'to', 'bis', 'até', 'إلى', 'الى'])
const DASH = /(?<=.)[-–—](?=.)/

/**
 * All teeth from one to the other along their arch, in the order typed: "15-17", "13-23". Null if they aren't in the
 * same row of a chart.
 */
function teethBetween(from: string, to: string): string[] | null {
  const row = Object.values(ROWS).find(codes => codes.includes(from) && codes.includes(to))
  if (!row) return null
  const [first, last] = [row.indexOf(from), row.indexOf(to)]
  return first <= last ? row.slice(first, last + 1) : row.slice(last, first + 1).toReversed()
}

/** Reads a single word: "16", or the range "15-17". */
export function readTeethWord(word: string, notation: Notation): string[] | null {
  const tooth = readTooth(word, notation)
  if (tooth) return [tooth]
  const [from, to, ...more] = word.split(DASH).map(part => readTooth(part, notation))
  return from && to && more.length === 0 ? teethBetween(from, to) : null
}

/** Reads words that are all teeth, ranges or what joins a range, each tooth once. Null if one is anything else. */
export function readTeethWords(words: readonly string[], notation: Notation): string[] | null {
  const { teeth, rest } = readTeeth(words, notation)
  return teeth.length > 0 && rest.length === 0 ? teeth : null
}

/** Reads the teeth among words. `before` is the tooth before them, from which a range can start. */
export function readTeeth(
  words: readonly string[],
  notation: Notation,
  before: string | null = null
): { teeth: string[], rest: string[] } {
  const teeth: string[] = []
  const rest: string[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!
    const range = rangeAt(words, at, { notation, from: teeth.at(-1) ?? before })
    if (range) at++
    const own = range ?? readTeethWord(word, notation)
    if (own) teeth.push(...own)
    else rest.push(word)
  }
  return { teeth: [...new Set(teeth)], rest }
}

/** The teeth of "a 17" behind `from`. In the universal notation, "A" is a tooth, but not between permanent ones. */
function rangeAt(
  words: readonly string[],
  at: number,
  { notation, from }: { notation: Notation, from: string | null }
): string[] | null {
  const [word, next] = [words[at]!, words[at + 1]]
  const to = next === undefined ? null : readTooth(next, notation)
  const isTooth = from !== null && isDeciduous(from) && readTooth(word, notation) !== null
  if (!from || !to || !TO_WORDS.has(word) || isTooth) return null
  return teethBetween(from, to)
}
