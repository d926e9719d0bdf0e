const DELIMITERS = [',', ';', '\t'] as const
export type Delimiter = typeof DELIMITERS[number]
const LINES = 20

/**
 * The one that parts the first lines into the same number of cells, the more the better; else the most frequent of the
 * first line. A file with one column has none: then it is the comma.
 */
export function guessDelimiter(text: string): Delimiter {
  const scored = DELIMITERS.map((delimiter) => {
    const counts = countsOf(text, delimiter)
    const [first = 0] = counts
    const alike = counts.filter(count => count === first).length / (counts.length || 1)
    return { delimiter, first, score: first === 0 ? 0 : alike * 1000 + Math.min(first, 99) }
  })
  return scored.reduce((best, next) => next.score > best.score ? next : best).delimiter
}

/** How often it stands outside of quotes, in each of the first lines that are whole. */
function countsOf(text: string, delimiter: string): number[] {
  const counts: number[] = []
  let [count, quoted, filled] = [0, false, false]
  for (const character of text) {
    if (character === '"') quoted = !quoted
    else if (quoted) continue
    else if (character === delimiter) count++
    else if (character === '\n' || character === '\r') {
      if (filled) counts.push(count)
      if (counts.length === LINES) return counts
      ;[count, filled] = [0, false]
      continue
    }
    filled = true
  }
  if (filled && counts.length === 0) counts.push(count)
  return counts
}
