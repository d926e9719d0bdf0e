/** The day of an instant in a zone, `YYYY-MM-DD`. */
export const dayIn = (time_zone: string, at: Date): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: time_zone, dateStyle: 'short' }).format(at)

/** A day some days later. */
export function addDays(day: string, days: number): string {
  const at = new Date(`${day}T00:00:00Z`)
  at.setUTCDate(at.getUTCDate() + days)
  return at.toISOString().slice(0, 10)
}
