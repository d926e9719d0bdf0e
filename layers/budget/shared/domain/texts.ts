/** Text in several languages: `{ en: 'Cleaning', es: 'Limpieza' }`. */
export type Texts = Record<string, string>

/** Returns the text in the first available one of the languages (`pt` for `pt-BR`), else in English, else in any. */
export function textIn(texts: Texts, ...locales: string[]): string {
  for (const locale of [...locales, 'en']) {
    const text = ownText(texts, locale)
    if (text) return text
  }
  return Object.values(texts).find(text => text !== '') ?? ''
}

const ownText = (texts: Texts, locale: string) => texts[locale] || texts[locale.split('-')[0]!]

/** Whether there is a text in exactly this language, without falling back to another. */
export const hasText = (texts: Texts, locale: string): boolean => Boolean(ownText(texts, locale))
