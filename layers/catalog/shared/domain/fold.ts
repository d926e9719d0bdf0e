/**
 * "Férula de DESCARGA" → "ferula de descarga": what people type when they look for something. Words are parted by one
 * space.
 */
export function fold(text: string): string {
  const plain = text.normalize('NFKD').replace(/[\p{M}'’ʼ`´]/gu, '').replace(/\p{Pd}/gu, ' ').toLowerCase()
  const folded = squeeze(
    plain.replaceAll('ß', 'ss').replaceAll('œ', 'oe').replaceAll('æ', 'ae').replaceAll('ø', 'o').replaceAll('ł', 'l')
  )
  return folded || squeeze(text)
}

/**
 * Every word of the question, each as the beginning of a word: `'fer':* & 'desc':*`. Null for a question without words.
 */
export function prefixQuery(question: string): string | null {
  const terms = fold(question).split(' ').filter(Boolean).slice(0, 8)
  return terms.length === 0
    ? null
    : terms.map(term => `'${term.replaceAll('\\', '\\\\').replaceAll('\'', '\'\'')}':*`).join(' & ')
}

const squeeze = (text: string) => text.replace(/[\s\0]+/g, ' ').trim()
