import {
  isFront,
  isTooth,
  isUpper,
  SURFACES,
  TEETH,
  toothLabel,
  type Notation,
  type Place,
  type Surface
} from './teeth.ts'

export const MAX_TEETH = 32
export const MAX_SITE = 50

/**
 * Occlusal is for the teeth behind the canines, incisal for the others; palatal is for the upper jaw, lingual for the
 * lower one.
 */
export function hasSurface(code: string, surface: Surface): boolean {
  if (surface === 'O') return !isFront(code)
  if (surface === 'I') return isFront(code)
  if (surface === 'P') return isUpper(code)
  if (surface === 'L') return !isUpper(code)
  return true
}

/** What is wrong, with a path below the line. */
export interface PlaceFault { path: (string | number)[], message: string }

/** Checks across several fields, and the codes themselves. */
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

const TYPED_PALMER = /^(?:([1-8A-E])([┘┐⏌⏋])|([└┌⎿⎾])([1-8A-E]))$/
const PALMER_ROWS = { '┘': '15', '⏌': '15', '└': '26', '⎿': '26', '┌': '37', '⎾': '37', '┐': '48', '⏋': '48' }
const PALMER_CORNERS = { UR: '15', UL: '26', LL: '37', LR: '48' }

/**
 * Parses a tooth typed in the notation, with the corners of Palmer's cross also as UR, UL, LL, LR; null if there is
 * none.
 */
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
 * Reads the two texts of older requests and drafts: one valid code becomes a tooth, the letters of its surfaces become
 * surfaces, and everything else becomes the site. The migration of stored drafts does the same in SQL.
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
