/** The calendar day of an instant in a time zone, `2026-12-18`. By default the current one. */
export const dayIn = (zone: string, instant = new Date()): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(instant)
