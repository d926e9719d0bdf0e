/** Text in several languages: `{ en: 'Cleaning', es: 'Limpieza' }`. */
export type Texts = Record<string, string>

/**
 * The text in the first of the wanted languages that it has (`pt-BR` is served by `pt`), else in English, else in any.
 */
export function textIn(texts: Texts, ...locales: string[]): string {
  for (const locale of [...locales, 'en']) {
    const text = texts[locale] || texts[locale.split('-')[0]!]
    if (text) return text
  }
  return Object.values(texts).find(text => text !== '') ?? ''
}
