/** The calendar day of an instant in a time zone, `2026-12-18`. By default the current one. */
export const dayIn = (zone: string, instant = new Date()): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(instant)

/**
 * Whether the clocks of a time zone and those of the reader show different times. Only then do times need the zone's
 * name.
 */
export function isOtherTime(instant: string, zone: string): boolean {
  const timeIn = (timeZone?: string) =>
    new Intl.DateTimeFormat('en', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(new Date(instant))
  return timeIn(zone) !== timeIn()
}
