const DELIMITERS = ['\t', ';', '|', ','] as const
export type Delimiter = typeof DELIMITERS[number]
const LINES = 50

/**
 * The delimiter that splits the most lines into the same number of cells, preferring more cells: titles above and
 * totals below have a different number. If a comma fits as well as another sign, it is the decimal separator. A file
 * with one column has no delimiter, and gets the comma. Excel's first line `sep=;` overrides the guess.
 */
export function guessDelimiter(text: string): Delimiter {
  const said = /^\uFEFF?"?sep=(.)"?[\r\n]/i.exec(text)?.[1] as Delimiter | undefined
  if (said !== undefined && DELIMITERS.includes(said)) return said
  const scored = DELIMITERS.map((delimiter) => {
    const [count, lines] = mostFrequent(countsOf(text, delimiter))
    return { delimiter, score: count === 0 ? 0 : lines * 1000 + Math.min(count, 99) * 2 + (delimiter === ',' ? 0 : 1) }
  })
  const best = scored.reduce((one, other) => other.score > one.score ? other : one)
  return best.score === 0 ? ',' : best.delimiter
}

/** The most frequent count above zero, and how many lines have it. */
function mostFrequent(counts: number[]): [count: number, lines: number] {
  const lines = new Map<number, number>()
  for (const count of counts) if (count > 0) lines.set(count, (lines.get(count) ?? 0) + 1)
  return [...lines].reduce((best, next) => next[1] > best[1] ? next : best, [0, 0])
}

/** How often the delimiter occurs outside quotes, in each of the first complete lines. */
function countsOf(text: string, delimiter: string): number[] {
  const counts: number[] = []
  let [count, quoted, filled, before] = [0, false, false, '\n']
  for (const character of text) {
    // A quotation mark inside a cell, for instance for inches, doesn't begin a quoted cell.
    if (character === '"') quoted = quoted ? false : STARTS.includes(before)
    else if (!quoted && character === delimiter) count++
    else if (!quoted && (character === '\n' || character === '\r')) {
      if (filled) counts.push(count)
      if (counts.length === LINES) return counts
      ;[count, filled] = [0, false]
    }
    if (character !== '\n' && character !== '\r') filled = true
    before = character
  }
  if (filled && counts.length === 0) counts.push(count)
  return counts
}

/** After these a cell begins, or a doubled quotation mark continues. */
const STARTS = ['\n', '\r', '"', '\uFEFF', ...DELIMITERS]
