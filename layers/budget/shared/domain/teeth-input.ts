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
