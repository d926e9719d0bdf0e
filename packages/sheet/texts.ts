/** A text of the screens, filled for paper, without the marks that isolate names on screens. */
export const fillText = (text: string, values: Record<string, string>): string =>
  text
    .replace(/[\u2068\u2069]/g, '')
    .replace(/\{(\w+)\}/g, (_, name: string) => values[name]!)
    // Some currencies end with a dot, in Arabic all do.
    .replace(/(\.\u200F?)\.$/, '$1')

export const languageOf = (locale: string): string => locale.split('-')[0]!.toLowerCase()

/** The first of the wanted locales in which there are texts, otherwise English. `texts`: by language. */
export const firstWith = (texts: object, wanted: readonly string[]): string =>
  wanted.find(locale => languageOf(locale) in texts) ?? 'en'
