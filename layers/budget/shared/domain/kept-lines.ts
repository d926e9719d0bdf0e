import { placeKey } from './teeth.ts'

type Place = { treatment_id: string } & Parameters<typeof placeKey>[0]
/** `id` is that of an existing line, or null for a new one. If omitted, any line with the same treatment matches. */
type SentPlace = Place & { id?: string | null }

/**
 * Matches each wanted line with one of the draft's; null for a new one and for an id that the draft doesn't have.
 * Without an id, a line with the same treatment and place matches, otherwise the next one with that treatment. No line
 * is matched twice.
 */
export function keptLines<Line extends Place & { id: string }>(
  wanted: readonly SentPlace[],
  stored: readonly Line[]
): (Line | null)[] {
  const rest = new Set(stored)
  const kept = wanted.map((): Line | null => null)
  const claim = (fits: (line: SentPlace, old: Line) => boolean) =>
    wanted.forEach((line, index) => {
      if (kept[index]) return
      const old = [...rest].find(one => one.treatment_id === line.treatment_id && fits(line, one))
      if (!old) return
      rest.delete(old)
      kept[index] = old
    })
  claim((line, old) => line.id === old.id)
  claim(
    (line, old) =>
      line.id === undefined && placeKey(line) === placeKey(old)
  )
  claim(line => line.id === undefined)
  return kept
}
