/** "Núñez-O’BRIEN" → "nunez obrien": what people type when they look for someone. Words are parted by one space. */
export function fold(text: string): string {
  const plain = text.normalize('NFKD').replace(/[\p{M}'’ʼ`´]/gu, '').replace(/\p{Pd}/gu, ' ').toLowerCase()
  const folded = squeeze(
    plain.replaceAll('ß', 'ss').replaceAll('œ', 'oe').replaceAll('æ', 'ae').replaceAll('ø', 'o').replaceAll('ł', 'l')
  )
  return folded || squeeze(text)
}

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
