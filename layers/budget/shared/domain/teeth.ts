/** The notation that people read; data is always FDI. */
export const NOTATIONS = ['fdi', 'universal', 'palmer'] as const
export type Notation = (typeof NOTATIONS)[number]

/** Mesial, distal, occlusal, incisal, vestibular, lingual, palatal. */
export const SURFACES = ['M', 'D', 'O', 'I', 'V', 'L', 'P'] as const
export type Surface = (typeof SURFACES)[number]

export const AREAS = [
  'full_mouth',
  'upper_jaw',
  'lower_jaw',
  'quadrant_1',
  'quadrant_2',
  'quadrant_3',
  'quadrant_4',
  'sextant_1',
  'sextant_2',
  'sextant_3',
  'sextant_4',
  'sextant_5',
  'sextant_6'
] as const
export type Area = (typeof AREAS)[number]

/** The place of a line in the mouth. All fields are empty if the line names none. */
export interface Place {
  /** FDI codes (ISO 3950): permanent 11–48, deciduous 51–85. */
  teeth: string[]
  /** Only for exactly one tooth. */
  surfaces: Surface[]
  area: Area | null
  /** A place in words that fits no other field. */
  site: string | null
}

const sequence = (quadrants: number[], count: number) => quadrants.flatMap((quadrant) => {
  const codes = Array.from({ length: count }, (_, index) => `${quadrant}${index + 1}`)
  // From the patient's right to the left, as in a chart.
  return [1, 4, 5, 8].includes(quadrant) ? codes.reverse() : codes
})

/** As a dentist sees them, from the patient's right to the left. */
export const ROWS = {
  upper: sequence([1, 2], 8),
  upper_deciduous: sequence([5, 6], 5),
  lower_deciduous: sequence([8, 7], 5),
  lower: sequence([4, 3], 8)
} as const

/** All 52 teeth, in the order in which texts list them. */
export const TEETH: readonly string[] = [...ROWS.upper, ...ROWS.lower, ...ROWS.upper_deciduous, ...ROWS.lower_deciduous]
const ORDER = new Map(TEETH.map((code, index) => [code, index]))

export const isTooth = (code: string): boolean => ORDER.has(code)
export const isDeciduous = (code: string): boolean => code[0]! >= '5'
export const isUpper = (code: string): boolean => '1256'.includes(code[0]!)
/** Whether the tooth is on the patient's right, which is the left side of a chart. */
export const isRight = (code: string): boolean => '1458'.includes(code[0]!)

/** Whether the tooth is an incisor or a canine. */
export const isFront = (code: string) => code[1]! <= '3'

/** In the order of a chart; invalid codes come last. */
export const sortTeeth = (codes: readonly string[]): string[] =>
  [...codes].sort((one, other) => (ORDER.get(one) ?? Infinity) - (ORDER.get(other) ?? Infinity))

/** In the order of `SURFACES`, in which they are named. */
export const sortSurfaces = (surfaces: readonly Surface[]): Surface[] =>
  SURFACES.filter(surface => surfaces.includes(surface))

/** The tooth in the notation: "16", "3", "6┘"; deciduous "55", "A", "E┘". */
export function toothLabel(code: string, notation: Notation): string {
  if (!isTooth(code) || notation === 'fdi') return code
  if (notation === 'palmer') return palmer(code)
  const all = isDeciduous(code)
    ? [...ROWS.upper_deciduous, ...[...ROWS.lower_deciduous].reverse()]
    : [...ROWS.upper, ...[...ROWS.lower].reverse()]
  const at = all.indexOf(code)
  return isDeciduous(code) ? String.fromCharCode(65 + at) : String(at + 1)
}

/** The mark is the quadrant's corner of the cross, as the dentist sees it. */
function palmer(code: string): string {
  const name = isDeciduous(code) ? String.fromCharCode(64 + Number(code[1])) : code[1]!
  if (isRight(code)) return `${name}${isUpper(code) ? '┘' : '┐'}`
  return `${isUpper(code) ? '└' : '┌'}${name}`
}

/**
 * Sorted teeth with their surfaces: "16", "11, 21", "16 MO". `comma` is the list separator of the reader's language.
 */
export function teethText(
  { teeth, surfaces }: Pick<Place, 'teeth' | 'surfaces'>,
  notation: Notation,
  comma = ', '
): string {
  const codes = sortTeeth(teeth).map(code => toothLabel(code, notation)).join(comma)
  return surfaces.length > 0 ? `${codes} ${sortSurfaces(surfaces).join('')}` : codes
}

type Named = Partial<{ [Key in keyof Place]: Place[Key] | null }>

/** Fills in omitted fields. */
export const placeOf = ({ teeth, surfaces, area, site }: Named): Place => ({
  teeth: teeth ?? [],
  surfaces: surfaces ?? [],
  area: area ?? null,
  site: site ?? null
})

export const isNowhere = (line: Named): boolean => {
  const { teeth, area, site } = placeOf(line)
  return teeth.length === 0 && area === null && site === null
}

/** Two lines at the same place have the same key, whatever the order of their teeth. */
export function placeKey(line: Named): string {
  const { teeth, surfaces, area, site } = placeOf(line)
  return JSON.stringify([sortTeeth(teeth), sortSurfaces(surfaces), area, site])
}
