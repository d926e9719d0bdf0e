export function fold(text) {
  const plain = text.normalize('NFKD').replace(/[\p{M}'’ʼ`´]/gu, '').replace(/\p{Pd}/gu, ' ').toLowerCase()
  const folded = squeeze(
    plain.replaceAll('ß', 'ss').replaceAll('œ', 'oe').replaceAll('æ', 'ae').replaceAll('ø', 'o').replaceAll('ł', 'l')
  )
  return folded || squeeze(text)
}

// PostgreSQL takes 2046 bytes of a word, and 2704 of a row in an index.
const LONGEST_WORD = 2000
const LONGEST = 2400

export function searchable(text) {
  const folded = fold(text)
  if (folded.length * 3 <= LONGEST_WORD) return folded
  return cut(folded.split(' ').map(word => cut(word, LONGEST_WORD)).join(' '), LONGEST).trimEnd()
}

/** The longest beginning of whole characters with so many bytes. */
const cut = (text, bytes) => text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(bytes)).read)

export const prefixQuery = question => prefixQueryOf(fold(question).split(' '))

export function prefixQueryOf(words) {
  const terms = words.filter(Boolean).slice(0, 8)
  return terms.length === 0
    ? null
    : terms.map(term => `'${term.replaceAll('\\', '\\\\').replaceAll('\'', '\'\'')}':*`).join(' & ')
}

const squeeze = text => text.replace(/[\s\0]+/g, ' ').trim()
