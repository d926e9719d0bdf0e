import * as z from 'zod'

/** The languages that pages, messages and documents exist in. */
const LOCALES = ['en', 'es', 'fr', 'de', 'pt', 'ar'] as const
export const Locale = z.enum(LOCALES)
export type Locale = z.infer<typeof Locale>

/**
 * What cannot stand in a name: control characters, line separators, halves of surrogate pairs, and the
 * bidirectional overrides, embeddings and isolates (UAX 9), which make a signature read as another name.
 * Letters of right-to-left scripts and the marks that such names need (U+200C to U+200F) are fine.
 */
const NOT_IN_NAMES = /[\p{Cc}\p{Cs}\u2028\u2029\u202A-\u202E\u2066-\u2069]/u
/** Longer texts have lines. */
const NOT_IN_TEXTS = /[^\P{Cc}\t\n\r]|\p{Cs}/u
/** Fillers (U+115F, U+1160, U+3164, U+FFA0) and the empty Braille pattern are letters and symbols by category, and show nothing. */
const VISIBLE = /[^\p{Z}\p{M}\p{C}\p{Default_Ignorable_Code_Point}\u2800]/u

const lengthOf = (text: string) => [...text].length

/** One line of plain text, trimmed; the limit is in characters, not in UTF-16 units. */
export const nameText = (max: number) => z.string()
  .max(max * 2)
  .refine(text => !NOT_IN_NAMES.test(text), 'Must not contain control characters.')
  .trim()
  .refine(text => lengthOf(text) <= max, `Must have at most ${max} characters.`)
  .refine(text => VISIBLE.test(text), 'Must not be empty.')

/** Plain text of several lines, trimmed. */
export const plainText = (max: number) => z.string()
  .max(max * 2)
  .refine(text => !NOT_IN_TEXTS.test(text), 'Must not contain control characters.')
  .trim()
  .refine(text => lengthOf(text) <= max, `Must have at most ${max} characters.`)
  .refine(text => VISIBLE.test(text), 'Must not be empty.')
