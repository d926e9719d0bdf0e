import { parseDate, Time, toCalendarDateTime, toZoned } from '@internationalized/date'

/**
 * What is sent to the server for the day of a payment: nothing for today, which is now; else noon of that day in the
 * clinic.
 */
export function paidAt(day: string, zone: string): string | undefined {
  if (day === dayIn(zone)) return undefined
  try {
    return toZoned(toCalendarDateTime(parseDate(day), new Time(12)), zone).toDate().toISOString()
  } catch {
    return day // no day: the contract refuses it at its field
  }
}

/** A UUID also where the page came by plain http, which has no `randomUUID`. */
export function newId(): string {
  const bytes = crypto
    .getRandomValues(new Uint8Array(16))
    .map((byte, at) => (at === 6 ? (byte & 0x0F) | 0x40 : at === 8 ? (byte & 0x3F) | 0x80 : byte))
  return [...bytes]
    .map(byte => byte.toString(16).padStart(2, '0'))
    .join('')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
