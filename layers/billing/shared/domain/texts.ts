/** Returns the text in the first available one of the languages (`pt` for `pt-BR`), else in English, else in any. */
export function textIn(texts: Record<string, string>, ...locales: string[]): string {
  for (const locale of [...locales, 'en']) {
    const text = texts[locale] || texts[locale.split('-')[0]!]
    if (text) return text
  }
  return Object.values(texts).find(text => text !== '') ?? ''
}
