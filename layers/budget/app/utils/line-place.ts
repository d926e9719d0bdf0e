import type { Area } from '../../shared/domain/teeth.ts'
import type { FormLine } from './budget-form.ts'

/** Gives the line these teeth. An area goes, surfaces too unless there is one tooth; an untouched quantity follows. */
export function setTeeth(line: FormLine, teeth: readonly string[]): void {
  const before = String(Math.max(1, line.teeth.length))
  line.teeth = [...new Set(teeth)]
  if (line.quantity === before) line.quantity = String(Math.max(1, line.teeth.length))
  if (line.teeth.length > 0) line.area = null
  if (line.teeth.length !== 1) line.surfaces = ''
}

/** Gives the line an area in place of its teeth; null: none. */
export function setArea(line: FormLine, area: Area | null): void {
  if (area) setTeeth(line, [])
  line.area = area
}
