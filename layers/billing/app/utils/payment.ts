import { parseDate, Time, toCalendarDateTime, toZoned } from '@internationalized/date'
import { parseMoney } from '@svc/kit/money'
import type { PaymentMethod } from '../../shared/contract.ts'

/** The fields of `MoneyDialog`, as they are typed. */
export interface MoneyForm { amount: string, method?: PaymentMethod, paid_at?: string }
/** What `MoneyDialog` makes of them: an id for each opening, the amount as the API's decimal text, and a time. */
export interface MoneyInput { id: string, amount: string, paid_at?: string }

/** The balances of advances in minor units; advances of one budget have one currency. */
export const sumOfBalances = (advances: { balance: string }[], currency: string): bigint =>
  advances.reduce((sum, { balance }) => sum + (parseMoney(balance, currency) ?? 0n), 0n)

/**
 * The `paid_at` to send for a payment's day: undefined for today, so that the server uses the current time, else noon
 * of that day in the clinic's zone.
 */
export function paidAt(day: string, zone: string): string | undefined {
  if (day === dayIn(zone)) return undefined
  try {
    return toZoned(toCalendarDateTime(parseDate(day), new Time(12)), zone).toDate().toISOString()
  } catch {
    return day // not a day: the contract reports it at its field
  }
}

/** Returns a UUID. A page over plain http has no `randomUUID`. */
export function newId(): string {
  const bytes = crypto
    .getRandomValues(new Uint8Array(16))
    .map((byte, at) => (at === 6 ? (byte & 0x0F) | 0x40 : at === 8 ? (byte & 0x3F) | 0x80 : byte))
  return [...bytes]
    .map(byte => byte.toString(16).padStart(2, '0'))
    .join('')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
