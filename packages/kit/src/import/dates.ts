/** Dates as people, practice systems and spreadsheets write them into the cells of a file. */
import { toPlainDigits } from '../values/numerals.ts'
import { foldHeader } from './cells.ts'
import { orderOf, type DatePart } from './date-order.ts'
import { MONTH_WORDS, NO_DATES } from './date-words.ts'

export { dateExample } from './date-order.ts'

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
interface At {
  locale: string
  country: string | null
  /** A year of two digits is the latest one that is not after this day. */
  today: string
  /** The user's choice for the file. Without it the column's own order counts, then that of the clinic's country. */
  date_order?: 'dmy' | 'mdy'
  survey?: DateSurvey
}
/** A day, and how it was read if the text is ambiguous. */
interface Read<How> { day: string, how: How | null }
type Parts = Record<DatePart, string>

const LANGUAGES = ['en', 'es', 'fr', 'de', 'pt-PT', 'it', 'ar', 'ar-SA-u-ca-gregory', 'ar-MA', 'ar-SY']
const MAX_LENGTH = 100

const bareOf = (text: string) => text.length > MAX_LENGTH ? '' : toPlainDigits(text).replace(/\s+/g, ' ')

// ---------------------------------------------------------------- times and missing dates

const TIME = /[T ,]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?(?: ?[ap]\.? ?m\.?)?(?: ?(z|utc|gmt|[+-]\d{2}:?\d{2}))?$/i

/**
 * The day in front of a time. Null if the time is invalid, or is UTC and neither midnight nor noon, since the local day
 * is then unknown.
 */
function withoutTime(text: string): string | null {
  const found = TIME.exec(text)
  if (!found) return text
  const [whole, hour, minute, second = '0', zone = ''] = found
  if (Number(hour) > 24 || Number(minute) > 59 || Number(second) > 60) return null
  const isRound = Number(hour) % 12 === 0 && Number(minute) === 0 && Number(second) === 0
  return /^(?:z|utc|gmt|[+-]00:?00)$/i.test(zone) && !isRound ? null : text.slice(0, -whole.length)
}

let marks: Set<string> | undefined
/** True for `0000-00-00`, `01/01/0001 00:00:00`, `-` …, which programs write for a missing date. */
export function isNoDate(text: string): boolean {
  marks ??= new Set(NO_DATES.map(mark => bareOf(mark)))
  const day = withoutTime(bareOf(text).toLowerCase())
  return day !== null && marks.has(day.trim())
}

// ---------------------------------------------------------------- names of months

let months: Map<string, number> | undefined
function monthOf(word: string): number | null {
  months ??= namedMonths()
  return months.get(foldHeader(word)) ?? null
}

/** Folded name or short name → month, from 1. */
export function namedMonths(): Map<string, number> {
  const named = new Map<string, number>()
  for (let month = 0; month < 12; month++) {
    const first = new Date(Date.UTC(2001, month, 15))
    const written = LANGUAGES.flatMap(language =>
      (['long', 'short'] as const).map(form =>
        new Intl.DateTimeFormat(language, { month: form, calendar: 'gregory', timeZone: 'UTC' }).format(first)))
    for (const word of [...written, ...MONTH_WORDS[month]!]) {
      const key = foldHeader(word)
      if (key && !/\d/.test(key) && !named.has(key)) named.set(key, month + 1)
    }
  }
  return named
}

// `15 de marzo de 1990`, `1st of April`, `1er avril`.
const SMALL_WORDS = new Set(['de', 'del', 'of', 'd', 'st', 'nd', 'rd', 'th', 'er', 'º', 'ª'])

interface Run { isNumber: boolean, text: string }
/**
 * Splits a text into runs of words and numbers: `[{ isNumber: true, text: '15' }, { isNumber: false, text: 'marzo' },
 * …]`.
 */
function runsOf(text: string): Run[] {
  const tokens = text
    .replace(/[.,/'’-]/g, ' ')
    .replace(/\d(?=\p{L})|\p{L}(?=\d)/gu, '$& ')
    .split(' ')
    .filter(token => token !== '' && !SMALL_WORDS.has(token.toLowerCase()))
  const runs: Run[] = []
  for (const token of tokens) {
    const isNumber = /^\d+$/.test(token)
    const last = runs.at(-1)
    if (!isNumber && last?.isNumber === false) last.text += ` ${token}`
    else runs.push({ isNumber, text: token })
  }
  return runs
}

/** A weekday in front of the day or the month is ignored. */
function readNamed(text: string): { day: string, month: number | null, year: string } | null {
  const runs = runsOf(text)
  const shape = runs.map(({ isNumber }) => isNumber ? 'n' : 'w').join('')
  const texts = (shape === 'wnwn' ? runs.slice(1) : runs).map(run => run.text)
  const [first = '', second = '', third = ''] = texts
  if (shape === 'wnn') return { month: monthOf(first) ?? monthOf(first.split(' ').at(-1)!), day: second, year: third }
  if (shape !== 'nwn' && shape !== 'wnwn') return null
  const [day, year] = first.length === 4 ? [third, first] : [first, third]
  return { day, month: monthOf(second), year }
}

// ---------------------------------------------------------------- whole columns

const NUMERIC = /^(\d{1,4})([./ -])(\d{1,2})\2(\d{2}|\d{4})$/
function numericParts(text: string): [string, string, string] | null {
  const found = NUMERIC.exec(text.replace(/ ?([./-]) ?/g, '$1'))
  return found && [found[1]!, found[3]!, found[4]!]
}

/** Collects what the dates of a column show together. Call `cell` for each cell, in any order. */
export function createDateSurvey(): DateSurvey {
  let [cells, numbers, largest] = [0, 0, 0]
  const proofs = { dmy: 0, mdy: 0 }
  return {
    add(cell) {
      if (isNoDate(cell)) return
      const text = withoutTime(bareOf(cell)) ?? ''
      cells += 1
      if (/^\d{1,5}(?:[.,]0+)?$/.test(text)) {
        numbers += 1
        largest = Math.max(largest, Number.parseInt(text, 10))
        return
      }
      const [first, second] = numericParts(text) ?? []
      if (first === undefined || first.length > 2) return
      if (Number(first) > 12 && Number(first) < 32 && Number(second) <= 12) proofs.dmy += 1
      if (Number(first) <= 12 && Number(second) > 12) proofs.mdy += 1
    },
    /** Every date of the column is a serial number. A column of bare years such as 1985 is not. */
    get serials() {
      return cells > 0 && cells === numbers && largest >= 10_000
    },
    /** The order that days after the twelfth prove; null if they prove neither or both. */
    get order() {
      if (Boolean(proofs.dmy) === Boolean(proofs.mdy)) return null
      return proofs.dmy > 0 ? 'dmy' : 'mdy'
    }
  }
}

// ---------------------------------------------------------------- one cell

type OrderName = 'dmy' | 'mdy'
const ORDERS: Record<OrderName, DatePart[]> = { dmy: ['day', 'month', 'year'], mdy: ['month', 'day', 'year'] }
const nameOf = (order: DatePart[] | null): OrderName | null =>
  (['dmy', 'mdy'] as const).find(name => ORDERS[name].join() === order?.join()) ?? null

/**
 * `3/4/1985`, `3-abr-1985`, `1985-04-03T00:00:00`, `19850403` … → `1985-04-03`, and how it was read if it is ambiguous.
 * Null for other texts, and if the order of day and month is unknown.
 */
export function readDay(text: string, { locale, country, today, date_order, survey }: At): Read<DateReading> | null {
  const bare = withoutTime(bareOf(text))?.trim()
  if (!bare) return null
  if (survey?.serials && /^\d{1,5}(?:[.,]0+)?$/.test(bare)) return readSerial(Number.parseInt(bare, 10))
  const whole = /^(\d{4})([./ -]?)(\d\d?)\2(\d\d?)$/.exec(bare.replace(/ ?([./-]) ?/g, '$1'))
  if (whole && (whole[2] !== '' || bare.length === 8)) {
    const day = toDay({ year: whole[1]!, month: whole[3]!, day: whole[4]! })
    if (day && (whole[2] !== '' || /^(?:1[89]|2[01])/.test(day))) return { day, how: null }
  }
  const named = readNamed(bare)
  if (named) return named.month === null ? null : withCentury({ ...named, month: String(named.month) }, today)
  return readNumeric(bare, { order: orderOf(locale, country), today, date_order, proven: survey?.order ?? null })
}

/** Days since 30 December 1899, which is how spreadsheets count dates from March 1900. */
function readSerial(days: number): Read<'serial'> | null {
  if (days < 61 || days > 80_000) return null
  return { day: new Date(Date.UTC(1899, 11, 30 + days)).toISOString().slice(0, 10), how: 'serial' }
}

interface Orders {
  order: DatePart[] | null
  today: string
  date_order: OrderName | undefined
  proven: OrderName | null
}
function readNumeric(bare: string, { order, today, date_order, proven }: Orders): Read<DateReading> | null {
  const parts = numericParts(bare)
    ?? (/^(\d\d)(\d\d)(\d{4})$/.exec(bare)?.slice(1) as [string, string, string] | undefined)
  if (!parts) return null
  const [first, second] = parts
  if (first.length === 2 && Number(first) > 31 && parts[2].length === 2)
    return withCentury({ year: first, month: second, day: parts[2] }, today)
  if (first.length > 2) return null
  const wanted = date_order ?? proven ?? nameOf(order)
  const found = wanted ?? provenBy(first, second)
  if (found === null) return null
  const byOrder = (name: OrderName) =>
    Object.fromEntries(ORDERS[name].map((type, index) => [type, parts[index]])) as Parts
  const read = withCentury(byOrder(found), today)
  const isOpen = !proven && Number(first) <= 12 && Number(second) <= 12 && Number(first) !== Number(second)
  return read && isOpen ? { ...read, how: read.how ? `${found}_${read.how}` : found } : read
}

/** Without a known order, only dates with a single meaning are read. */
function provenBy(first: string, second: string): OrderName | null {
  if (Number(first) > 12 || Number(first) === Number(second)) return 'dmy'
  return Number(second) > 12 ? 'mdy' : null
}

/** A date less than this many years ahead may really be in the future, such as an appointment. */
const NEAR_YEARS = 10

/** The latest year with these two digits that isn't in the future. Far from today it is the only plausible one. */
function withCentury({ year, month, day }: Parts, today: string): Read<'century'> | null {
  if (year.length === 4) {
    const whole = toDay({ year, month, day })
    return whole ? { day: whole, how: null } : null
  }
  const [late, early] = (['20', '19'] as const).map(century => toDay({ year: century + year, month, day }))
  if (late && late <= today) return { day: late, how: 'century' }
  const isNear = late && Number(late.slice(0, 4)) - Number(today.slice(0, 4)) < NEAR_YEARS
  return early ? { day: early, how: isNear ? 'century' : null } : null
}

/** 30 February isn't a day. */
function toDay({ year, month, day }: Parts): string | null {
  if (year.length !== 4 || month.length > 2 || day.length > 2) return null
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const at = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text) ? text : null
}
