import type { Area } from '../../shared/domain/teeth.ts'

/** The part of a form's line that says where it is and how often. */
interface CountedLine {
  teeth: string[]
  surfaces: string
  area: Area | null
  quantity: string
  counts: 'tooth' | 'piece' | 'once' | null
  counted: boolean
}

/**
 * Sets the line's teeth. Any tooth clears the area; surfaces are cleared unless there is one tooth. A quantity that is
 * still the number of teeth follows, unless the treatment counts something else.
 */
export function setTeeth(line: CountedLine, teeth: readonly string[]): void {
  const before = String(Math.max(1, line.teeth.length))
  line.teeth = [...new Set(teeth)]
  if (line.quantity === before && countsTeeth(line)) {
    line.quantity = String(Math.max(1, line.teeth.length))
    line.counted = true
  }
  if (line.teeth.length > 0) line.area = null
  if (line.teeth.length !== 1) line.surfaces = ''
}

/** Whether the number of teeth may be the quantity. */
const countsTeeth = ({ counts }: Pick<CountedLine, 'counts'>): boolean => counts === null || counts === 'tooth'

/** Whether the reason for the quantity is shown: the form counted several teeth. */
export const isCounted = ({ counted, teeth, quantity }: CountedLine): boolean =>
  counted && teeth.length > 1 && quantity === String(teeth.length)

/** Undoes the counting: the treatment is done once for all teeth of this line. */
export function countOnce(line: CountedLine): void {
  line.quantity = '1'
  if (line.counts !== 'once') line.counts = 'piece'
  line.counted = false
}

/** Sets the line's area, which replaces its teeth; null for none. */
export function setArea(line: CountedLine, area: Area | null): void {
  if (area) setTeeth(line, [])
  line.area = area
}
