/** Days are `YYYY-MM-DD`, months `YYYY-MM`. */
export interface Period { from: string, to: string }

/** Twelve months, including the current one. */
const USUAL = 12

/** The requested period. By default it is the twelve months up to `today`. */
export function periodOf({ from, to }: Partial<Period>, today: string): Period {
  const end = to ?? (from !== undefined && from > today ? from : today)
  return { from: from ?? `${monthsBefore(end, USUAL - 1)}-01`, to: end }
}

/** Every month that the period overlaps, in order. */
export function monthsOf({ from, to }: Period): string[] {
  const months: string[] = []
  for (let month = from.slice(0, 7); month <= to.slice(0, 7); month = monthsBefore(month, -1)) months.push(month)
  return months
}

function monthsBefore(day: string, count: number): string {
  const index = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 - count
  return `${String(Math.floor(index / 12)).padStart(4, '0')}-${String(index % 12 + 1).padStart(2, '0')}`
}
