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

export const MAX_TEETH = 32
export const MAX_SITE = 50

/** Where in the mouth a line is done. All empty: it says nothing of it. */
export interface Place {
  /** FDI codes (ISO 3950): permanent 11–48, deciduous 51–85. */
  teeth: string[]
  /** Of the one tooth. */
  surfaces: Surface[]
  area: Area | null
  /** What fits nowhere else, in words. */
  site: string | null
}

const sequence = (quadrants: number[], count: number) => quadrants.flatMap((quadrant) => {
  const codes = Array.from({ length: count }, (_, index) => `${quadrant}${index + 1}`)
  // From the patient's right to the left, as a chart has them.
  return [1, 4, 5, 8].includes(quadrant) ? codes.reverse() : codes
})

/** As a dentist faces them, from the patient's right to the left. */
export const ROWS = {
  upper: sequence([1, 2], 8),
  upper_deciduous: sequence([5, 6], 5),
  lower_deciduous: sequence([8, 7], 5),
  lower: sequence([4, 3], 8)
} as const

/** All 52, in the order in which texts name them. */
export const TEETH: readonly string[] = [...ROWS.upper, ...ROWS.lower, ...ROWS.upper_deciduous, ...ROWS.lower_deciduous]
const ORDER = new Map(TEETH.map((code, index) => [code, index]))

export const isTooth = (code: string): boolean => ORDER.has(code)
export const isDeciduous = (code: string): boolean => code[0]! >= '5'
export const isUpper = (code: string): boolean => '1256'.includes(code[0]!)
/** On the patient's right, which is the left of a chart. */
export const isRight = (code: string): boolean => '1458'.includes(code[0]!)

const isFront = (code: string) => code[1]! <= '3'

/** In the order of a chart; what is no code comes last. */
export const sortTeeth = (codes: readonly string[]): string[] =>
  codes.toSorted((one, other) => (ORDER.get(one) ?? Infinity) - (ORDER.get(other) ?? Infinity))

/** In the order of `SURFACES`, which is how they are named. */
export const sortSurfaces = (surfaces: readonly Surface[]): Surface[] =>
  SURFACES.filter(surface => surfaces.includes(surface))

/** Occlusal is behind the canines, incisal up to them; palatal is of the upper jaw, lingual of the lower one. */
export function hasSurface(code: string, surface: Surface): boolean {
  if (surface === 'O') return !isFront(code)
  if (surface === 'I') return isFront(code)
  if (surface === 'P') return isUpper(code)
  if (surface === 'L') return !isUpper(code)
  return true
}

/** What is wrong, at a path below the line. */
export interface PlaceFault { path: (string | number)[], message: string }

/** Rules that look at more than one field; the codes themselves are checked too. */
export function placeFaults({ teeth, surfaces, area }: Pick<Place, 'teeth' | 'surfaces' | 'area'>): PlaceFault[] {
  const faults: PlaceFault[] = []
  const fault = (message: string, ...path: PlaceFault['path']) => faults.push({ path, message })
  teeth.forEach((code, index) => {
    if (!isTooth(code)) fault('Must be an FDI code (ISO 3950): "11" to "48", or "51" to "85".', 'teeth', index)
    else if (teeth.indexOf(code) < index) fault('This tooth is given twice.', 'teeth', index)
  })
  if (teeth.length > MAX_TEETH) fault(`At most ${MAX_TEETH} teeth.`, 'teeth')
  if (area !== null && teeth.length > 0) fault('Give either teeth or an area.', 'area')
  if (surfaces.length > 0 && teeth.length !== 1) fault('Surfaces need exactly one tooth.', 'surfaces')
  surfaces.forEach((surface, index) => {
    if (surfaces.indexOf(surface) < index) fault('This surface is given twice.', 'surfaces', index)
    else if (teeth.length === 1 && isTooth(teeth[0]!) && !hasSurface(teeth[0]!, surface))
      fault(`Tooth ${teeth[0]} has no surface "${surface}".`, 'surfaces', index)
  })
  return faults
}

/** How the notation writes the tooth: "16", "3", "6┘"; deciduous "55", "A", "E┘". */
export function toothLabel(code: string, notation: Notation): string {
  if (!isTooth(code) || notation === 'fdi') return code
  if (notation === 'palmer') return palmer(code)
  const all = isDeciduous(code)
    ? [...ROWS.upper_deciduous, ...ROWS.lower_deciduous.toReversed()]
    : [...ROWS.upper, ...ROWS.lower.toReversed()]
  const at = all.indexOf(code)
  return isDeciduous(code) ? String.fromCharCode(65 + at) : String(at + 1)
}

/** The mark is the corner of the cross that the quadrant has, as the dentist looks at it. */
function palmer(code: string): string {
  const name = isDeciduous(code) ? String.fromCharCode(64 + Number(code[1])) : code[1]!
  if (isRight(code)) return `${name}${isUpper(code) ? '┘' : '┐'}`
  return `${isUpper(code) ? '└' : '┌'}${name}`
}

/** Teeth in order, with their surfaces: "16", "11, 21", "16 MO". */
export function teethText({ teeth, surfaces }: Pick<Place, 'teeth' | 'surfaces'>, notation: Notation): string {
  const codes = sortTeeth(teeth).map(code => toothLabel(code, notation)).join(', ')
  return surfaces.length > 0 ? `${codes} ${sortSurfaces(surfaces).join('')}` : codes
}

const TYPED_PALMER = /^(?:([1-8A-E])([┘┐⏌⏋])|([└┌⎿⎾])([1-8A-E]))$/
const PALMER_ROWS = { '┘': '15', '⏌': '15', '└': '26', '⎿': '26', '┌': '37', '⎾': '37', '┐': '48', '⏋': '48' }
const PALMER_CORNERS = { UR: '15', UL: '26', LL: '37', LR: '48' }

/** The tooth that someone typed in the notation, corners of Palmer's cross also as UR, UL, LL, LR; null if none. */
export function readTooth(typed: string, notation: Notation): string | null {
  const text = typed.trim().toUpperCase()
  if (notation !== 'palmer') return TEETH.find(code => toothLabel(code, notation) === text) ?? null
  const marked = TYPED_PALMER.exec(text)
  const lettered = /^(?:(UR|UL|LL|LR)([1-8A-E])|([1-8A-E])(UR|UL|LL|LR))$/.exec(text)
  const name = marked ? marked[1] ?? marked[4] : lettered ? lettered[2] ?? lettered[3] : undefined
  const quadrants = marked
    ? PALMER_ROWS[(marked[2] ?? marked[3]) as keyof typeof PALMER_ROWS]
    : PALMER_CORNERS[(lettered?.[1] ?? lettered?.[4]) as keyof typeof PALMER_CORNERS]
  if (!name || !quadrants) return null
  const letter = name.charCodeAt(0) - 64
  return letter > 0 ? `${quadrants[1]}${letter}` : `${quadrants[0]}${name}`
}

const SEPARATORS = /[\s,;./+-]+/g

/**
 * What older requests and drafts say in two texts: one valid code becomes a tooth, letters that it has its surfaces,
 * everything else the site. The migration of the stored drafts does the same in SQL.
 */
export function readOldPlace(tooth: string | null | undefined, surfaces: string | null | undefined): Place {
  const code = tooth?.trim() ?? ''
  const letters = surfaces?.trim() ?? ''
  const teeth = isTooth(code) ? [code] : []
  const read = [...letters.toUpperCase().replace(SEPARATORS, '')] as Surface[]
  const fits = teeth.length === 1
    && read.length > 0
    && read.every(letter => SURFACES.includes(letter))
    && placeFaults({ teeth, surfaces: read, area: null }).length === 0
  const site = [teeth.length === 0 ? code : '', fits ? '' : letters].filter(Boolean).join(' ')
  return { teeth, surfaces: fits ? read : [], area: null, site: site || null }
}

type Named = Partial<{ [Key in keyof Place]: Place[Key] | null }>

/** Every field, whatever was left out. */
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

/** Two lines at the same place have the same key, in whatever order their teeth are. */
export function placeKey(line: Named): string {
  const { teeth, surfaces, area, site } = placeOf(line)
  return JSON.stringify([sortTeeth(teeth), sortSurfaces(surfaces), area, site])
}

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
export function plannedByTooth<Line extends Pick<Named, 'teeth' | 'area'>>(lines: readonly Line[]): Planned<Line>[] {
  const at = (fits: (line: Line) => boolean) => lines.filter(fits)
  const teeth = TEETH.map(tooth => ({ tooth, area: null, lines: at(line => !!line.teeth?.includes(tooth)) }))
  const areas = AREAS.map(area => ({ tooth: null, area, lines: at(line => line.area === area) }))
  return [...teeth, ...areas].filter(planned => planned.lines.length > 0)
}

/** An age at which milk teeth are still there, in years. */
const GROWN = 13

/** Whether someone born that day (`YYYY-MM-DD`) is younger than 13 today, likewise a day. */
export function hasDeciduousTeeth(born: string | null | undefined, today: string): boolean {
  if (!born) return false
  const [year, ...rest] = today.split('-')
  return born > [String(Number(year) - GROWN).padStart(4, '0'), ...rest].join('-')
}
