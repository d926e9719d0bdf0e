import { punctuationOf } from '@svc/kit/locale'

/** `5 May 2026` for `2026-05-05`, whatever the time zone of this process. */
export const displayDate = (date: string, locale: string): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(`${date}T00:00:00Z`))

export const displayDay = (at: Date, locale: string, timeZone: string): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone }).format(at)

/** `5 May 2026, 12:00:00 (UTC+02:00, Europe/Madrid)`; for UTC without repeating the name. */
export function displayInstant(at: Date, locale: string, timeZone: string): string {
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'medium', hourCycle: 'h23', timeZone }).format(at)
  const zone = timeZone === 'UTC' ? 'UTC' : `(UTC${offsetOf(at, timeZone)}, ${timeZone})`
  return `${displayDay(at, locale, timeZone)}${punctuationOf(locale).comma}${time} ${zone}`
}

function offsetOf(at: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(at)
  return parts.find(part => part.type === 'timeZoneName')!.value.replace('GMT', '') || '+00:00'
}

export const displayNumber = (value: number, locale: string): string => new Intl.NumberFormat(locale).format(value)
