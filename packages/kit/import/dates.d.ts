/** Dates as people, practice systems and spreadsheets write them into the cells of a file. */

/** Why a date could be read in another way too: day or month first, a spreadsheet's number, a year of two digits. */
export type DateReading = 'dmy' | 'mdy' | 'serial' | 'century' | 'dmy_century' | 'mdy_century'
/** What the dates of a whole column say together. */
export interface DateSurvey {
  add (cell: string): void
  /** Every date is a spreadsheet's number of days. */
  readonly serials: boolean
  /** What days after the twelfth show; null: nothing, or both. */
  readonly order: 'dmy' | 'mdy' | null
}
export function createDateSurvey(): DateSurvey

interface At {
  locale: string
  country: string | null
  /** A year of two digits is the latest one that is not after this day. */
  today: string
  /** What people say of the file; else what the column shows, else the clinic's country. */
  date_order?: 'dmy' | 'mdy'
  survey?: DateSurvey
}
/**
 * `3/4/1985`, `3-abr-1985`, `1985-04-03T00:00:00`, `19850403` … → `1985-04-03`, and how it was read if it could be
 * read in another way. Null for other texts, and if nothing says whether the day or the month comes first.
 */
export function readDay(text: string, at: At): { day: string, how: DateReading | null } | null
/** `0000-00-00`, `01/01/0001 00:00:00`, `-` …: programs write that for no date. */
export function isNoDate(text: string): boolean
/** Folded name or short form → month, from 1. */
export function namedMonths(): Map<string, number>
/** A date that `readDay` reads: `31/12/1985` for Spain, `12/31/1985` for the US, ISO's form if no order is known. */
export function dateExample(at: { locale: string, country: string | null }): string
