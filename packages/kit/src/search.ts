// Letters that Unicode doesn't decompose; people type these instead. Migrations of clinical and catalog repeat them
// for older rows.
const LETTERS: Record<string, string> = { ß: 'ss', œ: 'oe', æ: 'ae', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i', ħ: 'h', ŧ: 't', ŋ: 'n', ĸ: 'k' }

/**
 * "Núñez-O’BRIEN" → "nunez obrien", as people type words when they search. Words are separated by one space.
 */
export function fold(text: string): string {
  const plain = text.normalize('NFKD').replace(/[\p{M}'’ʼ`´]/gu, '').replace(/\p{Pd}/gu, ' ').toLowerCase()
  const folded = squeeze(plain.replace(/[^\0-\x7F]/g, letter => LETTERS[letter] ?? letter))
  return folded || squeeze(text)
}

// PostgreSQL's limits are 2046 bytes for a word and 2704 for an index row.
const MAX_WORD_BYTES = 2000
const MAX_BYTES = 2400

/** The text to store for searching and sorting: folded, and cut to the maximum of a PostgreSQL index. */
export function searchable(text: string): string {
  const folded = [fold(text), ...wordsBehindApostrophes(text)].join(' ')
  if (folded.length * 3 <= MAX_WORD_BYTES) return folded
  return truncate(folded.split(' ').map(word => truncate(word, MAX_WORD_BYTES)).join(' '), MAX_BYTES).trimEnd()
}

// D'Angelo is found by "Angelo" too.
const BEHIND_APOSTROPHE = /(?<=[^\s'’ʼ`´])['’ʼ`´]([^\s'’ʼ`´@.,;:()/&-]{2,})/gu
const wordsBehindApostrophes = (text: string) =>
  [...text.matchAll(BEHIND_APOSTROPHE)].map(found => fold(found[1]!))

/** The longest prefix of whole characters that fits into so many bytes. */
const truncate = (text: string, bytes: number) =>
  text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(bytes)).read)

/**
 * For `to_tsquery('simple', …)`: each word of the search, at most eight, as a prefix: `'fer':* & 'desc':*`.
 * Null for a search without words.
 */
export const prefixQuery = (question: string): string | null => prefixQueryOf(fold(question).split(' '))

/** The same for words that are already folded. */
export function prefixQueryOf(words: string[]): string | null {
  const terms = words.filter(Boolean).slice(0, 8)
  return terms.length === 0
    ? null
    : terms.map(term => `'${term.replaceAll('\\', '\\\\').replaceAll('\'', '\'\'')}':*`).join(' & ')
}

const squeeze = (text: string) => text.replace(/[\s\0]+/g, ' ').trim()
