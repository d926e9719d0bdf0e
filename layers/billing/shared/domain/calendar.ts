/** The calendar day of an instant in a zone, `YYYY-MM-DD`, which is the format of `en-CA`. */
export const dayIn = (time_zone: string, at: Date): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: time_zone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    at
  )

export const yearIn = (time_zone: string, at: Date): number => Number(dayIn(time_zone, at).slice(0, 4))

/** Adds days to a `YYYY-MM-DD`. */
export function addDays(day: string, days: number): string {
  const at = new Date(`${day}T00:00:00Z`)
  at.setUTCDate(at.getUTCDate() + days)
  return at.toISOString().slice(0, 10)
}
