import { emailKey } from '@svc/kit/addresses'
import { fold } from '@svc/kit/search'
import { phoneWords } from '../../../shared/domain/people-query.ts'

/** The fields that rows and stored patients share. */
export interface Person {
  first_name?: string
  last_name?: string
  email?: string | null
  phone?: string | null
  date_of_birth?: string | null
}

/** Words in many people’s names, which don't identify anyone. */
const PARTICLES = new Set([
  'da', 'das', 'de', 'del', 'den', 'der', 'des', 'di', 'do', 'dos', 'du', 'e', 'el', 'i', 'la', 'las', 'le', 'los', 'ten',
  'ter', 'van', 'vom', 'von', 'y', 'zu', 'zum', 'zur'
])
/** How Spanish files shorten given names: “Mª Carmen”. */
const SHORT: Record<string, string> = { ma: 'maria', fco: 'francisco', fca: 'francisca' }
const MAX_WORDS = 4

const wordsOf = (text: string | undefined): string[] => {
  const all = fold((text ?? '').replaceAll('.', '')).split(/[^\p{L}\p{N}]+/u).filter(Boolean)
  const significant = all.filter(word => !PARTICLES.has(word))
  return significant.length > 0 ? significant : all
}

interface GivenName {
  /** Sorted, without duplicates: “María del Carmen” and “Carmen Mª” have the same words. */
  words: string[]
  /** All words as one text, and every selection of some of them. */
  whole: string
  some: string[]
}
/** Many people in a file share first names, so each name is parsed once. */
const given = new Map<string, GivenName>()
const MAX_CACHED = 5000

function readGiven(first_name = ''): GivenName {
  const known = given.get(first_name)
  if (known) return known
  const words = [...new Set(wordsOf(first_name).map(word => SHORT[word] ?? word))].slice(0, MAX_WORDS).sort()
  const choices = words.reduce<string[][]>((all, word) => all.flatMap(some => [[...some, word], some]), [[]])
  const [whole = '', ...some] = choices.filter(({ length }) => length > 0).map(choice => choice.join(' '))
  if (given.size >= MAX_CACHED) given.clear()
  given.set(first_name, { words, whole, some })
  return { words, whole, some }
}
const givenWords = (first_name: string | undefined) => readGiven(first_name).words

const holds = (words: string[], others: string[]) => others.every(word => words.includes(word))

/** “Ana” may be “Ana María”, but not “Eva”: twins share address and birth date. A missing name may be anyone’s. */
export function mayHaveSameGivenName(one: Person, other: Person): boolean {
  const [first, second] = [givenWords(one.first_name), givenWords(other.first_name)]
  return holds(first, second) || holds(second, first) || hasSameWords(one, other)
}

/** Also if first and last name are swapped. */
function hasSameWords(one: Person, other: Person): boolean {
  const [first, second] = [one, other].map(({ first_name, last_name }) =>
    [...givenWords(first_name), ...wordsOf(last_name)].sort().join(' '))
  return first === second
}

/**
 * Words for `names` and `claims` of an import: the words of a row match those for which `mayHaveSameGivenName` finds
 * the same person in an earlier row.
 */
export function namedBy(person: string, first_name: string | undefined): string[] {
  const { whole, some } = readGiven(first_name)
  return [`${person} is ${whole}`, ...some.map(part => `${person} has ${part}`)]
}
export function claimedBy(person: string, first_name: string | undefined): string[] {
  const { whole, some } = readGiven(first_name)
  return [`${person} has ${whole}`, `${person} is ${whole}`, ...some.map(part => `${person} is ${part}`)]
}

/**
 * Whether a row with a stored patient's number describes another person: name and birth date differ. If one of the
 * dates is missing, the contact data decide; without contact data, names without a common word decide.
 */
export function isAnotherPerson(row: Person, known: Person): boolean {
  if (row.date_of_birth && known.date_of_birth)
    return row.date_of_birth !== known.date_of_birth && isOtherName(row, known)
  const same = contactOf(row, known)
  return same === null ? hasNoWordInCommon(row, known) : !same && isOtherName(row, known)
}

/** After a marriage the first name is the same. A name in another order has the same words. */
function isOtherName(row: Person, known: Person): boolean {
  if (hasSameWords(row, known)) return false
  if (!mayHaveSameGivenName(row, known)) return true
  return row.last_name !== undefined && !shareWord(wordsOf(row.last_name), wordsOf(known.last_name))
}

/** Null if there is nothing to compare. */
function contactOf(row: Person, known: Person): boolean | null {
  const answers = [
    row.email && known.email ? emailKey(row.email) === emailKey(known.email) : null,
    row.phone && known.phone ? shareWord(phoneWords(row.phone), phoneWords(known.phone)) : null
  ].filter(answer => answer !== null)
  return answers.length === 0 ? null : answers.includes(true)
}

function hasNoWordInCommon(row: Person, known: Person): boolean {
  const words = [...givenWords(row.first_name), ...wordsOf(row.last_name)]
  return words.length > 0 && !shareWord(words, [...givenWords(known.first_name), ...wordsOf(known.last_name)])
}

const shareWord = (words: string[], others: string[]) => words.some(word => others.includes(word))
