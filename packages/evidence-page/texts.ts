import { ar } from './texts/ar.ts'
import { de } from './texts/de.ts'
import { en, type Texts } from './texts/en.ts'
import { es } from './texts/es.ts'
import { fr } from './texts/fr.ts'
import { pt } from './texts/pt.ts'

export type TextKey = keyof Texts

/** The product's languages. */
export const LANGUAGES = { en, es, fr, de, pt, ar }
export type Language = keyof typeof LANGUAGES

export const isLanguage = (text: string): text is Language => Object.hasOwn(LANGUAGES, text)

/** The first supported language among the preferred ones: `de-AT` is `de`. */
export const languageOf = (wanted: readonly string[]): Language =>
  wanted.map(tag => tag.toLowerCase().split('-')[0]!).find(isLanguage) ?? 'en'
