/** Dates as people, practice systems and spreadsheets write them into the cells of a file. */

/** Why a date is ambiguous: day or month first, a spreadsheet's serial number, a year of two digits. */
export type DateReading = 'dmy' | 'mdy' | 'serial' | 'century' | 'dmy_century' | 'mdy_century'
/** What the dates of a whole column show together. */
export interface DateSurvey {
  add (cell: string): void
  /** Every date is a spreadsheet's serial number (a count of days). */
  readonly serials: boolean
  /** The order that days after the twelfth prove; null if they prove neither or both. */
  readonly order: 'dmy' | 'mdy' | null
}
export function createDateSurvey(): DateSurvey

interface At {
  locale: string
  country: string | null
  /** A year of two digits is the latest one that is not after this day. */
  today: string
  /** The user's choice for the file. Without it the column's own order counts, then that of the clinic's country. */
  date_order?: 'dmy' | 'mdy'
  survey?: DateSurvey
}
/**
 * `3/4/1985`, `3-abr-1985`, `1985-04-03T00:00:00`, `19850403` … → `1985-04-03`, and how it was read if it is ambiguous.
 * Null for other texts, and if the order of day and month is unknown.
 */
export function readDay(text: string, at: At): { day: string, how: DateReading | null } | null
/** True for `0000-00-00`, `01/01/0001 00:00:00`, `-` …, which programs write for a missing date. */
export function isNoDate(text: string): boolean
/** Folded name or short name → month, from 1. */
export function namedMonths(): Map<string, number>
/** A date that `readDay` reads: `31/12/1985` for Spain, `12/31/1985` for the US, ISO's form if the order is unknown. */
export function dateExample(at: { locale: string, country: string | null }): string
