/** "Núñez-O’BRIEN" → "nunez obrien": what people type when they look for somebody. Words are parted by one space. */
export function fold(text: string): string {
  const plain = text.normalize('NFKD').replace(/[\p{M}'’ʼ`´]/gu, '').replace(/\p{Pd}/gu, ' ').toLowerCase()
  const folded = squeeze(plain.replaceAll('ß', 'ss').replaceAll('œ', 'oe').replaceAll('æ', 'ae').replaceAll('ø', 'o').replaceAll('ł', 'l'))
  return folded || squeeze(text)
}

/** A phone number is found however it is written, with its country code or without. */
export function phoneWords(phone: string): string[] {
  const digits = phone.replace(/\D/g, '')
  return [...new Set([digits, digits.slice(-9)])]
}

/** Every word of the question, each as the beginning of a word: `'nun':* & 'pui':*`. Null for a question without words. */
export function prefixQuery(question: string): string | null {
  const isNumber = /^[+(]?\d[\d\s()./-]{2,}$/.test(question.trim())
  const terms = isNumber ? [question.replace(/\D/g, '')] : fold(question).split(' ').filter(Boolean).slice(0, 8)
  return terms.length === 0 ? null : terms.map(term => `'${term.replaceAll('\\', '\\\\').replaceAll('\'', '\'\'')}':*`).join(' & ')
}

const squeeze = (text: string) => text.replace(/[\s\0]+/g, ' ').trim()
