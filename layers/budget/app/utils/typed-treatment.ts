import { hasSurface, readTooth } from '../../shared/domain/teeth-input.ts'
import { SURFACES, type Notation, type Surface } from '../../shared/domain/teeth.ts'
import { readTeethWord, readTeethWords } from './typed-teeth.ts'

/** What is typed to find a treatment, with its place in the mouth: "crown 16", "filling 26 mo", "bridge 15-17". */
export interface TypedTreatment {
  /** The text to search for in the catalog. */
  search: string
  /** FDI codes (ISO 3950), in the order typed. */
  teeth: string[]
  /** Each letter once. Only for a single tooth that has these surfaces. */
  surfaces: string
}

/**
 * Reads teeth in the clinic's notation from the end of the text. At least one word must precede them: a number alone is
 * searched for in the catalog.
 */
export function readTypedTreatment(typed: string, notation: Notation = 'fdi'): TypedTreatment {
  const words = typed.trim().split(/[\s,،]+/)
  const isPlace = words.length > 2 && surfacesIn(words.at(-1)!) !== null
  const { tooth, surfaces } = readPlace(words.slice(isPlace ? -2 : -1).join(''), notation)
  const first = words.length - (isPlace ? 2 : 1)
  if (!tooth && first > 0 && readTeethWord(words.at(-1)!, notation)) return readEnd(words, notation)
  if (!tooth || first === 0) {
    // What looks like surfaces may be a tooth: "A" is a tooth in the universal notation.
    return isPlace && readTooth(words.at(-1)!, notation)
      ? readEnd(words, notation)
      : { search: typed.trim(), teeth: [], surfaces: '' }
  }
  if (surfaces.length > 0)
    return { search: words.slice(0, first).join(' '), teeth: [tooth], surfaces: surfaces.join('') }
  return readEnd(words, notation)
}

/** The longest end of the text that is teeth and ranges, and begins with one. */
function readEnd(words: string[], notation: Notation): TypedTreatment {
  for (let first = 1; first < words.length; first++) {
    const teeth = readTeethWord(words[first]!, notation) && readTeethWords(words.slice(first), notation)
    if (teeth) return { search: words.slice(0, first).join(' '), teeth, surfaces: '' }
  }
  return { search: words.join(' '), teeth: [], surfaces: '' }
}

/** Reads letters as surfaces, each once. Returns null if they aren't surfaces. */
export function surfacesIn(text: string): Surface[] | null {
  const letters = [...text.toUpperCase()] as Surface[]
  const isEachOnce = new Set(letters).size === letters.length
  return letters.length > 0 && isEachOnce && letters.every(letter => SURFACES.includes(letter)) ? letters : null
}

/** Reads a tooth with or without surfaces: "16", "16mo". */
export function readPlace(word: string, notation: Notation): { tooth: string | null, surfaces: Surface[] } {
  const nothing = { tooth: null, surfaces: [] }
  const whole = readTooth(word, notation)
  if (whole) return { tooth: whole, surfaces: [] }
  const letters = /[MDOIVLP]{1,7}$/i.exec(word)?.[0] ?? ''
  const tooth = readTooth(word.slice(0, word.length - letters.length), notation)
  const surfaces = surfacesIn(letters)
  return tooth && surfaces?.every(surface => hasSurface(tooth, surface)) ? { tooth, surfaces } : nothing
}
