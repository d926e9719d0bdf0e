import { isCurrency } from '@svc/kit/money'
import { email, LANGUAGES } from '@svc/kit/schemas'
import * as z from 'zod'

export { line, paging, text } from '@svc/kit/schemas'

export const Email = email.toLowerCase()
export const Currency = z.string().trim().refine(isCurrency, 'Must be a currency code such as "EUR" (ISO 4217).')
/** A supported language, with or without a region: `es`, `es-MX`. */
export const Locale = z.string().trim()
  .regex(new RegExp(`^(${LANGUAGES.join('|')})(-[A-Z]{2})?$`), 'Must be a language that the service has, such as "es".')
export const TimeZone = z.string().trim().max(64).refine(isTimeZone, 'Must be a time zone such as "Europe/Madrid" (IANA).')

function isTimeZone(name: string): boolean {
  // Intl also accepts offsets and any case, but PostgreSQL and emails don't.
  if (!/^[A-Z][\w+-]*(?:\/[A-Z][\w+-]*)*$/.test(name)) return false
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

export const Instant = z.string().describe('UTC, ISO 8601 with Z')
