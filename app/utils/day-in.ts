/** The current calendar day in a time zone, `2026-12-18`. */
export const dayIn = (zone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    new Date()
  )
