import { isCurrency } from '@svc/kit/money'
import { LANGUAGES } from '@svc/kit/schemas'
import * as z from 'zod'

export { line, paging, text } from '@svc/kit/schemas'

export const Email = z.email().max(254).toLowerCase()
export const Currency = z.string().refine(isCurrency, 'No ISO 4217 currency.')
/** A language we speak, with or without a region: `es`, `es-MX`. */
export const Locale = z.string().regex(new RegExp(`^(${LANGUAGES.join('|')})(-[A-Z]{2})?$`), 'No supported language.')
export const TimeZone = z.string().max(64).refine(isTimeZone, 'No IANA time zone.')

function isTimeZone(name: string): boolean {
  // Intl also takes offsets and any case, PostgreSQL and mails do not.
  if (!/^[A-Z][\w+-]*(?:\/[A-Z][\w+-]*)*$/.test(name)) return false
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

export const Instant = z.string().describe('UTC, ISO 8601 with Z')
