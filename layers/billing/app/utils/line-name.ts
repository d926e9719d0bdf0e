/** In the reader's language, otherwise in the invoice's, otherwise in any that it has. */
export const lineName = (name: Record<string, string>, ...languages: string[]): string =>
  languages.map(language => name[language]).find(Boolean) ?? Object.values(name)[0] ?? ''
