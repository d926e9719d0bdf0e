import { AREAS, isFront, isUpper, ROWS, TEETH, type Area, type Place } from './teeth.ts'

/** The permanent teeth of an area, as a chart has them. */
export function teethIn(area: Area): string[] {
  const all = [...ROWS.upper, ...ROWS.lower]
  const [kind, n] = area.split('_') as [string, string]
  if (kind === 'full') return all
  if (kind === 'upper' || kind === 'lower') return [...ROWS[kind]]
  if (kind === 'quadrant') return all.filter(code => code[0] === n)
  return all.filter(code => SEXTANTS[Number(n) - 1]!(code))
}

const isBack = (quadrant: string) => (code: string) => code[0] === quadrant && !isFront(code)
/** From the upper right to the lower right, clockwise as the dentist looks at them. */
const SEXTANTS = [
  isBack('1'),
  (code: string) => isUpper(code) && isFront(code),
  isBack('2'),
  isBack('3'),
  (code: string) => !isUpper(code) && isFront(code),
  isBack('4')
]

/** What is planned at one tooth or area. */
export interface Planned<Line> { tooth: string | null, area: Area | null, lines: Line[] }

/** Tooth by tooth in the order of a chart, then areas in the order of `AREAS`: what a chart shows, to be read. */
export function plannedByTooth<Line extends Partial<{ [Key in 'teeth' | 'area']: Place[Key] | null }>>(lines: readonly Line[]): Planned<Line>[] {
  const at = (fits: (line: Line) => boolean) => lines.filter(fits)
  const teeth = TEETH.map(tooth => ({ tooth, area: null, lines: at(line => !!line.teeth?.includes(tooth)) }))
  const areas = AREAS.map(area => ({ tooth: null, area, lines: at(line => line.area === area) }))
  return [...teeth, ...areas].filter(planned => planned.lines.length > 0)
}

/** Years of age from which a chart shows no milk teeth. */
const ADULT_DENTITION_AGE = 13

/** Whether someone born that day (`YYYY-MM-DD`) is younger than 13 today, likewise a day. */
export function hasDeciduousTeeth(born: string | null | undefined, today: string): boolean {
  if (!born) return false
  const [year, ...rest] = today.split('-')
  return born > [String(Number(year) - ADULT_DENTITION_AGE).padStart(4, '0'), ...rest].join('-')
}
