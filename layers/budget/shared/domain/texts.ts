/** Text in several languages: `{ en: 'Cleaning', es: 'Limpieza' }`. */
export type Texts = Record<string, string>

/**
 * The text in the first available of the wanted languages (`pt` serves `pt-BR`), otherwise in English, otherwise in
 * any.
 */
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
