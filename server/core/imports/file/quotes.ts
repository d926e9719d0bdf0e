const BREAK = /[\r\n]/

/**
 * Whether a cell begins with a quotation mark and has a line break before the next one. Then either both marks were
 * doubled, or a mark was never closed and the next cell's mark ended it. Only the raw row can show which.
 */
export function isSuspect(cell: string): boolean {
  if (!cell.startsWith('"')) return false
  const next = cell.indexOf('"', 1)
  return next !== -1 && BREAK.test(cell.slice(0, next))
}

/** Whether each quoted cell of several lines ends where its quotation mark is closed. */
export function isWellQuoted(raw: string, delimiter: string, escape: string): boolean {
  for (let at = 0; at < raw.length; at++) {
    if (raw[at] === '"') {
      const end = endOfQuote(raw, at, escape)
      const isClosed = end + 1 >= raw.length || raw[end + 1] === delimiter || BREAK.test(raw[end + 1]!)
      if (!isClosed && BREAK.test(raw.slice(at, end))) return false
      at = end
    }
    const next = raw.indexOf(delimiter, at)
    if (next === -1) return true
    at = next
  }
  return true
}

/** The position of the mark that closes the one at `from`. */
function endOfQuote(raw: string, from: number, escape: string): number {
  for (let at = from + 1; at < raw.length; at++) {
    if (raw[at] === escape && (raw[at + 1] === '"' || raw[at + 1] === escape)) at++
    else if (raw[at] === '"') return at
  }
  return raw.length
}
