import { AREAS, isFront, isUpper, ROWS, TEETH, type Area, type Place } from './teeth.ts'

/** The permanent teeth of an area, in the order of a chart. */
export function teethIn(area: Area): string[] {
  const all = [...ROWS.upper, ...ROWS.lower]
  const [kind, n] = area.split('_') as [string, string]
  if (kind === 'full') return all
  if (kind === 'upper' || kind === 'lower') return [...ROWS[kind]]
  if (kind === 'quadrant') return all.filter(code => code[0] === n)
  return all.filter(code => SEXTANTS[Number(n) - 1]!(code))
}

const isBack = (quadrant: string) => (code: string) => code[0] === quadrant && !isFront(code)
/** Clockwise from the upper right to the lower right, as the dentist sees them. */
const SEXTANTS = [
  isBack('1'),
  (code: string) => isUpper(code) && isFront(code),
  isBack('2'),
  isBack('3'),
  (code: string) => !isUpper(code) && isFront(code),
  isBack('4')
]

/** The planned treatments at one tooth or area. */
export interface Planned<Line> { tooth: string | null, area: Area | null, lines: Line[] }

/** Tooth by tooth in the order of a chart, then areas in the order of `AREAS`: the contents of a chart as text. */
export function plannedByTooth<Line extends Partial<{ [Key in 'teeth' | 'area']: Place[Key] | null }>>(lines: readonly Line[]): Planned<Line>[] {
  const at = (fits: (line: Line) => boolean) => lines.filter(fits)
  const teeth = TEETH.map(tooth => ({ tooth, area: null, lines: at(line => !!line.teeth?.includes(tooth)) }))
  const areas = AREAS.map(area => ({ tooth: null, area, lines: at(line => line.area === area) }))
  return [...teeth, ...areas].filter(planned => planned.lines.length > 0)
}

/** From this age in years, a chart shows no primary teeth. */
const ADULT_DENTITION_AGE = 13

/** Whether someone born on that day (`YYYY-MM-DD`) is younger than 13 on the day `today`. */
export function hasDeciduousTeeth(born: string | null | undefined, today: string): boolean {
  if (!born) return false
  const [year, ...rest] = today.split('-')
  return born > [String(Number(year) - ADULT_DENTITION_AGE).padStart(4, '0'), ...rest].join('-')
}
