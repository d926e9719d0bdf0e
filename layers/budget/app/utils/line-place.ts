import type { Area } from '../../shared/domain/teeth.ts'
import type { FormLine } from './budget-form.ts'

/**
 * Sets the line's teeth. Any tooth clears the area; surfaces are cleared unless there is one tooth. A quantity that is
 * still the number of teeth follows.
 */
export function setTeeth(line: FormLine, teeth: readonly string[]): void {
  const before = String(Math.max(1, line.teeth.length))
  line.teeth = [...new Set(teeth)]
  if (line.quantity === before) line.quantity = String(Math.max(1, line.teeth.length))
  if (line.teeth.length > 0) line.area = null
  if (line.teeth.length !== 1) line.surfaces = ''
}

/** Sets the line's area, which replaces its teeth; null for none. */
export function setArea(line: FormLine, area: Area | null): void {
  if (area) setTeeth(line, [])
  line.area = area
}
