import type { ImportSettings } from '@svc/kit'
import { foldHeader, readDecimal, WRONG } from '@svc/kit/cells'
import { exponent, parseMoney, parsePercent } from '@svc/kit/money'
import { toDecimalText } from '@svc/kit/numerals'
import { MAX_PERCENT, MAX_PRICE } from '../read-fields.ts'
import { NO_TAX_WORDS } from './vat-words.ts'

/** What the columns of amounts say as a whole. */
export interface AmountSurvey {
  /** A sign behind which other than three digits stand: it parts decimals, in this file. */
  decimal_signs: Set<string>
  /** Rates below 1 without a percent sign; a few are enough to know. */
  fractions: Set<string>
  /** Rates from 1 on, or with a percent sign. */
  has_percents: boolean
}
export const createAmountSurvey = (): AmountSurvey =>
  ({ decimal_signs: new Set(), fractions: new Set(), has_percents: false })

const MAX_FRACTIONS = 10

export function surveyPrice(cell: string, survey: AmountSurvey): void {
  const found = /^\D*\d+([.,])(\d+)\D*$/.exec(toDecimalText(cell))
  if (found && found[2]!.length !== 3) survey.decimal_signs.add(found[1]!)
}

export function surveyVat(cell: string, { locale }: ImportSettings, survey: AmountSurvey): void {
  const rate = readDecimal(cell, { locale })
  if (rate === null || Number(rate) === 0) return
  if (!isFraction(cell, rate)) survey.has_percents = true
  else if (survey.fractions.size < MAX_FRACTIONS) survey.fractions.add(withoutZeros(rate))
}

const isFraction = (cell: string, rate: string) => Number(rate) < 1 && !/[%\u066A\uFF05]/.test(cell)

type Read<T> = { value: T, note?: string } | { wrong: string }

const isNegative = (cell: string) => /^\s*[-\u2212\u2013(]\s*(?:\p{Sc}\s*)?\d|\d\s*-\s*$/u.test(toDecimalText(cell))

/** Minor units. */
export function readPrice(cell: string, { locale, currency }: ImportSettings, survey: AmountSurvey): Read<string> {
  const typed = readDecimal(cell, { locale, currency })
  if (typed === null) return { wrong: isNegative(cell) ? WRONG.negative : WRONG.amount }
  if (hasTwoReadings(cell, currency, survey)) return { wrong: WRONG.price_two_ways }
  // "1,500" of an English file in a Spanish clinic: exactly three decimals may be meant as thousands.
  if (typed.split('.')[1]?.length === 3 && exponent(currency) < 3) return { wrong: WRONG.digits }
  const price = parseMoney(withoutZeros(typed), currency)
  if (price === null) return { wrong: typed.length > 15 ? WRONG.large : WRONG.digits }
  return price > MAX_PRICE ? { wrong: WRONG.large } : { value: String(price) }
}

/** `60.000` beside `80.0000`, or beside `12.50`: sixty, or sixty thousand. */
function hasTwoReadings(cell: string, currency: string, { decimal_signs }: AmountSurvey): boolean {
  const found = /^\D*[1-9]\d{0,2}([.,])\d{3}\D*$/.exec(toDecimalText(cell))
  return found !== null && exponent(currency) !== 3 && decimal_signs.has(found[1]!)
}

/** `45.5000` is 45.50: spreadsheets write as many decimals as they are set to. */
function withoutZeros(typed: string): string {
  const [whole, fraction = ''] = typed.split('.')
  let end = fraction.length
  while (fraction[end - 1] === '0') end--
  return end === 0 ? whole! : `${whole}.${fraction.slice(0, end)}`
}

let words: Set<string> | undefined
const isNoTax = (cell: string) => (words ??= new Set(NO_TAX_WORDS.map(foldHeader))).has(foldHeader(cell))

/** Hundredths of a percent. A cell that a spreadsheet shows as 21 % holds 0.21: only a whole column of them says so. */
export function readVat(cell: string, { locale }: ImportSettings, survey: AmountSurvey): Read<number> {
  if (isNoTax(cell)) return { value: 0 }
  const typed = readDecimal(cell, { locale })
  if (typed === null) return { wrong: isNegative(cell) ? WRONG.vat_negative : WRONG.percent }
  const plain = withoutZeros(typed)
  if (Number(typed) === 0 || !isFraction(cell, typed)) return inRange(parsePercent(plain))
  if (survey.has_percents || survey.fractions.size < 2) return { wrong: WRONG.vat_two_ways }
  const read = inRange(parsePercent(timesHundred(plain)))
  return 'value' in read ? { ...read, note: WRONG.read_fraction } : read
}

const inRange = (percent: bigint | null): Read<number> =>
  percent === null || percent > MAX_PERCENT ? { wrong: WRONG.percent } : { value: Number(percent) }

/** `0.055` → `5.5`, exactly. */
function timesHundred(decimal: string): string {
  const [whole, fraction = ''] = decimal.split('.')
  const digits = fraction.padEnd(2, '0')
  return withoutZeros(`${Number(whole + digits.slice(0, 2))}.${digits.slice(2)}`)
}
