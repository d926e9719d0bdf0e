/** "Núñez-O’BRIEN" → "nunez obrien": what people type when they look for someone. Words are parted by one space. */
export function fold(text: string): string {
  const plain = text.normalize('NFKD').replace(/[\p{M}'’ʼ`´]/gu, '').replace(/\p{Pd}/gu, ' ').toLowerCase()
  const folded = squeeze(
    plain.replaceAll('ß', 'ss').replaceAll('œ', 'oe').replaceAll('æ', 'ae').replaceAll('ø', 'o').replaceAll('ł', 'l')
  )
  return folded || squeeze(text)
}

/** PostgreSQL takes 2046 bytes of a word, and 2704 of a row in an index. */
const LONGEST_WORD = 2000
const LONGEST = 2400

/** What is stored to be found and sorted by: what is cut off still matches by its beginning. */
export function searchable(text: string): string {
  const folded = fold(text)
  if (folded.length * 3 <= LONGEST_WORD) return folded
  return cut(folded.split(' ').map(word => cut(word, LONGEST_WORD)).join(' '), LONGEST).trimEnd()
}

/** The longest beginning of whole characters with so many bytes. */
const cut = (text: string, bytes: number) =>
  text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(bytes)).read)

/** A phone number is found however it is written, with its country code (of one to three digits) or without. */
export function phoneWords(phone: string): string[] {
  const digits = digitsOf(phone)
  const withoutCode = phone.trim().startsWith('+') ? [1, 2, 3].map(length => digits.slice(length)) : []
  return [...new Set([digits, ...withoutCode])].filter(word => word.length > 3)
}

/** Without the zeros that are dialled at home, or before a country code. */
const digitsOf = (text: string) => text.replace(/\D/g, '').replace(/^0+/, '')

/**
 * Every word of the question, each as the beginning of a word: `'nun':* & 'pui':*`. Null for a question without words.
 */
export function prefixQuery(question: string): string | null {
  const isNumber = /^[+(]?\d[\d\s()./-]{2,}$/.test(question.trim())
  const terms = isNumber ? [digitsOf(question)] : fold(question).split(' ').slice(0, 8)
  const words = terms.filter(Boolean)
  return words.length === 0
    ? null
    : words.map(term => `'${term.replaceAll('\\', '\\\\').replaceAll('\'', '\'\'')}':*`).join(' & ')
}

const squeeze = (text: string) => text.replace(/[\s\0]+/g, ' ').trim()
