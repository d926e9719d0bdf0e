import { MAX_MONTHS } from '../../shared/contract.ts'

/** Days are `YYYY-MM-DD`. */
export interface ReportDays { from: string, to: string }

export const EARLIEST = '1900-01-01'
export const LATEST = '2999-12-31'

/**
 * Whether a day is typed completely. Browsers report one after each digit of the year: 0002, 0020 and 0202 before 2025.
 */
export const isWholeDay = (day: string) => day.length === LATEST.length && day >= EARLIEST && day <= LATEST

/** Why the server would refuse the days. Null if it wouldn't, or while a day is incomplete. */
export function faultOfDays({ from, to }: ReportDays): 'wrong' | 'too_long' | null {
  if (!isWholeDay(from) || !isWholeDay(to)) return null
  if (from > to) return 'wrong'
  return monthOf(to) - monthOf(from) >= MAX_MONTHS ? 'too_long' : null
}

const monthOf = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7))
