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

const firstOf = (month: string) => `${month}-01`
const lastOf = (month: string) =>
  `${month}-${new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)), 0)).getUTCDate()}`
const monthsInto = (day: string, length: number) => (Number(day.slice(5, 7)) - 1) % length

/** The current month, quarter or year up to today. */
const current = (length: number) => (today: string): Period =>
  ({ from: firstOf(monthsBefore(today, monthsInto(today, length))), to: today })
/** The whole month, quarter or year before. */
const previous = (length: number) => (today: string): Period => {
  const back = monthsInto(today, length)
  return { from: firstOf(monthsBefore(today, back + length)), to: lastOf(monthsBefore(today, back + 1)) }
}

/** Periods that people ask for, by their names. */
export const PRESETS = {
  this_month: current(1),
  last_month: previous(1),
  this_quarter: current(3),
  last_quarter: previous(3),
  this_year: current(12),
  last_year: previous(12),
  twelve_months: (today: string) => periodOf({}, today)
}
export type Preset = keyof typeof PRESETS

/** Null for any other period. In January, a month, a quarter and a year can be equal: the month is chosen. */
export const presetOf = (period: Period, today: string): Preset | null =>
  (Object.keys(PRESETS) as Preset[]).find((name) => {
    const { from, to } = PRESETS[name](today)
    return from === period.from && to === period.to
  }) ?? null

/** Leaves out the empty months before the first that has something, and after the last one. */
export function withoutEmptyEnds<Month>(months: Month[], isEmpty: (month: Month) => boolean): Month[] {
  const first = months.findIndex(month => !isEmpty(month))
  return first === -1 ? [] : months.slice(first, months.findLastIndex(month => !isEmpty(month)) + 1)
}
