import { displayAmount, displayLocale } from '@svc/kit/locale'
import { joinDigits } from '@svc/kit/numerals'

/**
 * `"1234.50"` as people of that language write it. Exact: the decimal text goes to Intl unparsed. French groups get a
 * space that can be seen.
 */
export function money(amount: string, currency: string, locale: string): string {
  return displayAmount(amount, currency, locale).replace('-', '\u2212').replaceAll('\u202F', '\u00A0')
}

/** `2026-12-18`, a day without a time, written out. */
export function day(date: string, locale: string): string {
  return new Intl.DateTimeFormat(displayLocale(locale), { dateStyle: 'full', timeZone: 'UTC' }).format(
    new Date(`${date}T00:00:00Z`)
  )
}

/** An instant in the clinic's zone, the zone named. */
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

/** Minutes in words, whole hours as such. */
export function duration(minutes: number, locale: string): string {
  const [value, unit] = minutes % 60 ? [minutes, 'minute'] : [minutes / 60, 'hour']
  return new Intl.NumberFormat(displayLocale(locale), { style: 'unit', unit, unitDisplay: 'long' }).format(value)
}

/** Seconds as `14:59`, or `1:04:59`. */
export function clock(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, Math.floor(seconds) % 60]
  const shown = parts[0] ? parts : parts.slice(1)
  return shown.map((part, index) => index ? String(part).padStart(2, '0') : String(part)).join(':')
}

/** What a person typed or pasted as a code, in digits of any script; null if it is not a code. */
export function codeDigits(typed: string): string | null {
  const digits = joinDigits(typed)
  return /^\d{4,8}$/.test(digits) ? digits : null
}

/** Names compared as people mean them: without case, accents and doubled spaces. */
export function sameName(one: string, other: string): boolean {
  const bare = (name: string) => name.normalize('NFD').replace(/\p{M}/gu, '').replace(/\s+/g, ' ').trim().toLowerCase()
  return bare(one) === bare(other)
}
