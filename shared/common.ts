import { isCurrency } from '@svc/kit/money'
import * as z from 'zod'

/** Languages that the screens, mails and documents speak. */
const LANGUAGES = ['en', 'es', 'fr', 'de', 'pt', 'ar'] as const

/** Also what reorders the text around it (UAX 9): a name could be made to read as another one. */
const CONTROL = /[\p{Cc}\p{Cs}\u2028\u2029\u202A-\u202E\u2066-\u2069]/u
/** Fillers and the empty Braille pattern are letters and symbols by category, and show nothing. */
const VISIBLE = /[^\p{Z}\p{M}\p{C}\p{Default_Ignorable_Code_Point}\u2800]/u
const CONTROL_BUT_LINES = /[^\P{Cc}\n\t]/u

/** One line of plain text. */
export const line = (max: number) => z.string().trim().min(1).max(max).refine(text => !CONTROL.test(text), 'No control characters.').refine(text => VISIBLE.test(text), 'Must not be empty.')
/** Plain text with line breaks. */
export const text = (max: number) => z.string().trim().max(max).refine(value => !CONTROL_BUT_LINES.test(value), 'No control characters.')

export const Email = z.email().max(254).toLowerCase()
export const Currency = z.string().refine(isCurrency, 'No ISO 4217 currency.')
/** A language we speak, with or without a region: `es`, `es-MX`. */
export const Locale = z.string().regex(new RegExp(`^(${LANGUAGES.join('|')})(-[A-Z]{2})?$`), 'No supported language.')
export const TimeZone = z.string().max(64).refine(isTimeZone, 'No IANA time zone.')

function isTimeZone(name: string): boolean {
  if (!/^[A-Z][\w+-]*(?:\/[A-Z][\w+-]*)*$/.test(name)) return false // Intl also takes offsets and any case, PostgreSQL and mails do not
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

/** `page` from 1, `page_size` 1–100. */
export const paging = {
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  page_size: z.coerce.number().int().min(1).max(100).default(20)
}
export const Instant = z.string().describe('UTC, ISO 8601 with Z')
