import { placeKey } from './teeth.ts'

type Place = { treatment_id: string } & Parameters<typeof placeKey>[0]
/** `id`: the line that it is; null: a new one; left out: whichever of its treatment is there. */
type Wanted = Place & { id?: string | null }

/**
 * Which of the draft's lines each wanted one is, null for a new one and for an id that the draft has not (any more).
 * Without an id the same treatment at the same place of the mouth is the same line, else the next of that treatment.
 * None is taken twice.
 */
export function keptLines<Line extends Place & { id: string }>(
  wanted: readonly Wanted[],
  stored: readonly Line[]
): (Line | null)[] {
  const rest = new Set(stored)
  const kept = wanted.map((): Line | null => null)
  const claim = (fits: (line: Wanted, old: Line) => boolean) =>
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
