import { displayAmount, displayLocale } from '@svc/kit/locale'
import { joinDigits } from '@svc/kit/numerals'

/**
 * Formats `"1234.50"` for a language. Intl gets the decimal text unparsed, so it is exact. French digit groups get a
 * wider space, because theirs is hard to see.
 */
export function money(amount: string, currency: string, locale: string): string {
  return displayAmount(amount, currency, locale).replace('-', '\u2212').replaceAll('\u202F', '\u00A0')
}

/** Formats a day, `2026-12-18`, in full. */
export function day(date: string, locale: string): string {
  return new Intl.DateTimeFormat(displayLocale(locale), { dateStyle: 'full', timeZone: 'UTC' }).format(
    new Date(`${date}T00:00:00Z`)
  )
}

/** Formats an instant in the clinic's zone, with the zone's name. */
export function moment(instant: string, locale: string, timeZone: string): string {
  const date = new Date(instant)
  const written = new Intl.DateTimeFormat(displayLocale(locale), {
    dateStyle: 'long',
    timeStyle: 'short',
    hourCycle: 'h23',
    timeZone
  }).format(date)
  return `${written} (${zoneName(instant, locale, timeZone)})`
}

export function zoneName(instant: string, locale: string, timeZone: string): string {
  const parts = new Intl.DateTimeFormat(displayLocale(locale), { timeZone, timeZoneName: 'long' }).formatToParts(
    new Date(instant)
  )
  return parts.find(part => part.type === 'timeZoneName')?.value ?? timeZone
}

/** Formats a duration in minutes, or in hours if they are whole. */
export function duration(minutes: number, locale: string): string {
  const [value, unit] = minutes % 60 ? [minutes, 'minute'] : [minutes / 60, 'hour']
  return new Intl.NumberFormat(displayLocale(locale), { style: 'unit', unit, unitDisplay: 'long' }).format(value)
}

/** Formats seconds as `14:59` or `1:04:59`. */
export function clock(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, Math.floor(seconds) % 60]
  const shown = parts[0] ? parts : parts.slice(1)
  return shown.map((part, index) => index ? String(part).padStart(2, '0') : String(part)).join(':')
}

/** Reads a typed or pasted code, in digits of any script. Returns null if it isn't a code. */
export function codeDigits(typed: string): string | null {
  const digits = joinDigits(typed)
  return /^\d{4,8}$/.test(digits) ? digits : null
}

/** Whether two names are equal apart from case, accents and repeated spaces. */
export function sameName(one: string, other: string): boolean {
  const bare = (name: string) => name.normalize('NFD').replace(/\p{M}/gu, '').replace(/\s+/g, ' ').trim().toLowerCase()
  return bare(one) === bare(other)
}
