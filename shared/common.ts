import { isCurrency } from '@svc/kit/money'
import { multiLine, singleLine, visible } from '@svc/kit/text'
import * as z from 'zod'

/** Languages that the screens, mails and documents speak. */
const LANGUAGES = ['en', 'es', 'fr', 'de', 'pt', 'ar'] as const

/** One line of plain text. */
export const line = (max: number) => z.string().trim().min(1).max(max).check(singleLine, visible)
/** Plain text with line breaks. */
export const text = (max: number) => z.string().trim().max(max).check(multiLine)

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
