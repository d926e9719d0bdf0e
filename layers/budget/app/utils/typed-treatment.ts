/** What is typed to find a treatment, and where in the mouth it is done: "crown 16", "filling 26 mo", "veneer 11 21" */
export interface TypedTreatment {
  /** What to look for in the catalog. */
  search: string
  /** FDI codes (ISO 3950), in the order typed. */
  teeth: string[]
  /** Letters out of MDOIVLP, each once; only beside a single tooth. */
  surfaces: string
}

/** Permanent teeth 11–48, deciduous ones 51–85. */
const TOOTH = /^(?:[1-4][1-8]|[5-8][1-5])$/
const TOOTH_AND_SURFACES = /^(\d\d)([MDOIVLP]*)$/i
const SURFACES = /^[MDOIVLP]{1,7}$/i

/** Teeth are read from the end, behind at least one word: a number alone is looked for in the catalog. */
export function readTypedTreatment(typed: string): TypedTreatment {
  const words = typed.trim().split(/[\s,]+/)
  const isPlace = words.length > 2 && isSurfaces(words.at(-1)!)
  const { tooth, surfaces } = toothOf(words.at(isPlace ? -2 : -1)! + (isPlace ? words.at(-1)! : ''))
  const first = words.length - (isPlace ? 2 : 1)
  if (!tooth || first === 0) return { search: typed.trim(), teeth: [], surfaces: '' }
  if (surfaces) return { search: words.slice(0, first).join(' '), teeth: [tooth], surfaces }
  const name = words.slice(0, words.findLastIndex((word, index) => index === 0 || !TOOTH.test(word)) + 1)
  return { search: name.join(' '), teeth: [...new Set(words.slice(name.length))], surfaces: '' }
}

const isSurfaces = (word: string) => SURFACES.test(word) && isEachOnce(word.toUpperCase())
const isEachOnce = (letters: string) => new Set(letters).size === letters.length

function toothOf(word: string): { tooth: string | null, surfaces: string } {
  const [, tooth = '', letters = ''] = TOOTH_AND_SURFACES.exec(word) ?? []
  const surfaces = letters.toUpperCase()
  return TOOTH.test(tooth) && isEachOnce(surfaces) ? { tooth, surfaces } : { tooth: null, surfaces: '' }
}
