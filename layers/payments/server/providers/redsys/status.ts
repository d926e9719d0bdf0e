import { exponent, isCurrency } from '@svc/kit/money'
import { CURRENCIES, restNotificationOutputFormatter, REV_CURRENCIES, type RestNotificationOutputParams } from 'redsys-easy'
import { rescale } from '../amounts.ts'
import type { PaymentStatus } from '../provider.ts'

/** Fields of a notification or of a line of the query's answer. */
export type Fields = Record<string, string | undefined>

/** The patient pressed “Cancel”. */
const CANCELLED = [9915]
/** The patient is typing card data, or is at the bank. */
const UNFINISHED = [8102, 9998, 9999]

interface Taken { num: string, amount: string }

const BY_CODE = CURRENCIES as Record<string, { num: string, decimals: number } | undefined>
const BY_NUMBER = REV_CURRENCIES as Record<string, { code: string, decimals: number } | undefined>

/** Null if Redsys doesn't have the currency, or counts fewer digits. */
export function toRedsys(amount: bigint, code: string): Taken | null {
  const currency = BY_CODE[code]
  const scaled = currency ? rescale(amount, exponent(code), currency.decimals) : null
  return scaled === null ? null : { num: currency!.num, amount: String(scaled) }
}

/** Null for a currency or an amount that we can't read. */
export function fromRedsys({ Ds_Amount = '', Ds_Currency = '' }: Fields): { amount: bigint, currency: string } | null {
  const known = BY_NUMBER[String(Number(Ds_Currency))]
  if (!known || !isCurrency(known.code) || !/^\d{1,15}$/.test(Ds_Amount)) return null
  const amount = rescale(BigInt(Ds_Amount), known.decimals, exponent(known.code))
  return amount === null ? null : { amount, currency: known.code }
}

/** Of the payment, from a notification or from the query. */
export function readFields(fields: Fields): PaymentStatus {
  const state = stateOf(fields)
  const isPaid = state === 'paid'
  const taken = isPaid ? fromRedsys(fields) : null
  return {
    state,
    amount: taken?.amount ?? null,
    currency: taken?.currency ?? null,
    paid_at: isPaid ? readTime(fields) : null,
    payment_ref: fields.Ds_AuthorisationCode?.trim() || null,
    method: isBizum(fields) ? 'other' : 'card'
  }
}

/** A patient can try again on the page, so an order may have several lines. */
export function readOperations(operations: Fields[]): PaymentStatus {
  const found = operations.map(readFields)
  const decided = ['paid', 'pending', 'failed', 'cancelled'] as const
  return decided.map(state => found.find(status => status.state === state)).find(status => status !== undefined)
    ?? { state: 'pending', amount: null, currency: null, paid_at: null, payment_ref: null, method: 'card' }
}

function stateOf({ Ds_State, Ds_Response }: Fields): PaymentStatus['state'] {
  const code = Number(Ds_Response?.trim() || Number.NaN)
  // The query also has the state of the operation, and F is its end.
  if (Number.isNaN(code) || UNFINISHED.includes(code) || (Ds_State !== undefined && Ds_State !== 'F')) return 'pending'
  // 400 and 900 are successful too, but of cancellations and refunds.
  if (code >= 0 && code < 100) return 'paid'
  return CANCELLED.includes(code) ? 'cancelled' : 'failed'
}

const isBizum = (fields: Fields): boolean =>
  fields.Ds_ProcessedPayMethod === '68' || Object.keys(fields).some(name => name.startsWith('Ds_Bizum'))

/** Day and minute in Spain. Null if they are missing or written in another way. */
export function readTime({ Ds_Date = '', Ds_Hour = '' }: Fields): Date | null {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(Ds_Date) ?? []
  const date = year ? `${day}/${month}/${year}` : Ds_Date
  const [hour] = /^\d\d:\d\d/.exec(Ds_Hour) ?? []
  if (!/^\d\d\/\d\d\/\d{4}$/.test(date) || hour === undefined) return null
  const { timestamp } = restNotificationOutputFormatter({
    Ds_Date: date,
    Ds_Hour: hour,
    Ds_Amount: '0',
    Ds_Currency: '978',
    Ds_Response: '0000'
  } as RestNotificationOutputParams)
  return Number.isNaN(timestamp.getTime()) ? null : timestamp
}
