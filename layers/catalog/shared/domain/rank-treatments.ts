import { fold } from '@svc/kit/search'

/** What is ranked: a treatment, or a set, which has a name only. */
export interface Ranked {
  code?: string
  /** In each language that it has. */
  names: readonly string[]
  /** A filling's number of surfaces. */
  surfaces?: number | null
}
interface Search {
  /** The words that name the treatment. */
  text: string
  /** All that was typed, if that is more: a name can end with a number that looks like a tooth. */
  typed?: string
  /** How many surfaces were typed; 0 for none. */
  surfaces?: number
}

/**
 * Lower comes first, member by member:
 * 0. whether the text is the whole name or the code;
 * 1. how well the treatment's number of surfaces fits the typed ones;
 * 2. whether the text's words are whole words of the name, or end a compound ("Krone" in "Zirkonkrone"), or begin
 *    words, or are inside of words;
 * 3. how many further words the name has: "Zirconia crown" is plainer than "Crown on implant";
 * 4. whether the name begins with the text.
 */
type Rank = readonly [isOther: number, surfaces: number, words: number, further: number, begins: number]

const WHOLE = 0
const BEGINS = 1
const INSIDE = 2
/** Shorter ends are not parts of a compound. */
const MIN_PART = 4

/** Articles and words for "of" and "in" don't make a name longer: "Corona de zirconio" is as plain as "Zirkonkrone". */
const SMALL_WORDS = new Set([
  'a', 'an', 'the', 'of', 'in', 'de', 'del', 'el', 'la', 'los', 'las', 'en', 'du', 'des', 'le', 'les', 'aus', 'der', 'die',
  'das', 'do', 'da', 'dos', 'em', 'o', 'من', 'في'
].map(fold))

/** What is on something else is a treatment of its own, however short its name: "تاج على زرعة". */
const ON_WORDS = new Set(['on', 'over', 'sobre', 'sur', 'auf', 'su', 'على'].map(fold))

/** The best first. Equal ones are in the order of their codes, then of their names. */
export function rankTreatments<T extends Ranked>(found: readonly T[], search: Search): T[] {
  return found
    .map(item => ({ item, rank: rankOf(item, search) }))
    .sort((one, other) => compare(one.rank, other.rank) || orderText(one.item).localeCompare(orderText(other.item), 'en'))
    .map(({ item }) => item)
}
const orderText = ({ code, names }: Ranked) => `${code ?? '\uFFFF'} ${names[0] ?? ''}`

/** Whether a person has to choose: the first is not clearly better than the second, or nothing was typed. */
export function isClose(ranked: readonly Ranked[], search: Search): boolean {
  const [first, second] = ranked
  if (!first || !second) return false
  if (fold(search.text) === '') return true
  // That a name begins with the text only orders them.
  return compare(rankOf(first, search).slice(0, 4), rankOf(second, search).slice(0, 4)) >= 0
}

function compare(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((value, index) => value !== other[index])
  return at < 0 ? 0 : one[at]! - other[at]!
}

function rankOf({ code, names, surfaces = null }: Ranked, search: Search): Rank {
  const { text, typed = text } = search
  const own = [...code === undefined ? [] : [code], ...names].map(fold)
  const isNamed = [text, typed].some(one => own.includes(fold(one)))
  const words = fold(text).split(' ').filter(Boolean)
  const [match, further, begins] = [
    ...code && fold(code).startsWith(fold(text)) ? [[WHOLE, 0, 0] as const] : [],
    ...names.map(name => matchName(name, words))
  ].toSorted(compare)[0] ?? [INSIDE, 0, 1]
  return [isNamed ? 0 : 1, fitOf(surfaces, search.surfaces ?? 0), match, further, begins]
}

/** Three or more surfaces fit four typed ones, but not as well as four or more. */
function fitOf(surfaces: number | null, typed: number): number {
  const [doesNotMatter, tooMany] = [10, 20]
  if (typed === 0) return 0
  if (surfaces === null) return doesNotMatter
  return surfaces <= typed ? typed - surfaces : tooMany
}

function matchName(name: string, words: readonly string[]): [match: number, further: number, begins: number] {
  // "Metal-ceramic" is one further word, and a person can type both of its parts.
  const groups = name.split(/[\s,;()/]+/)
    .map(group => fold(group).split(' ').filter(Boolean))
    .filter(parts => parts.length > 0)
  const all = groups.flat()
  const found = words.map(word => findWord(word, all))
  const met = new Set(found.map(({ at }) => at))
  let at = 0
  const further = groups.map((parts) => {
    const own = parts.map(() => at++)
    if (own.some(index => met.has(index)) || parts.every(part => SMALL_WORDS.has(part))) return 0
    return parts.some(part => ON_WORDS.has(part)) ? 2 : 1
  }).reduce((sum: number, own) => sum + own, 0)
  const compounds = found.filter(({ isCompound }) => isCompound).length
  return [
    Math.max(WHOLE, ...found.map(({ match }) => match)),
    further + compounds,
    words.every((word, index) => all[index]?.startsWith(word)) ? 0 : 1
  ]
}

function findWord(word: string, all: readonly string[]): { at: number, match: number, isCompound: boolean } {
  const ways: [match: number, isCompound: boolean, fits: (own: string) => boolean][] = [
    [WHOLE, false, own => own === word],
    [WHOLE, true, own => word.length >= MIN_PART && own.endsWith(word)],
    [BEGINS, false, own => own.startsWith(word)]
  ]
  for (const [match, isCompound, fits] of ways) {
    const at = all.findIndex(fits)
    if (at >= 0) return { at, match, isCompound }
  }
  return { at: all.findIndex(own => own.includes(word)), match: INSIDE, isCompound: true }
}
