import { digitsOf } from '../digits.js'
import { displayLocale } from '../locale.js'
import { toDecimalText, toLatinDigits } from '../values/numerals.js'

const LANGUAGES = ['en', 'es', 'fr', 'de', 'pt', 'ar']

export const WRONG = {
  required: 'Must not be empty.',
  text: 'Must be plain text without control characters.',
  long: 'Is too long.',
  email: 'Must be an email address.',
  phone: 'Must be a phone number.',
  phone_short: 'Has too few digits for a phone number of its country.',
  phone_long: 'Has too many digits for a phone number of its country.'
    + ' Numbers of other countries begin with a code such as +49.',
  phone_length: 'Phone numbers of its country have another number of digits.',
  phone_code: 'Begins with a country code that doesn’t exist.',
  spreadsheet: 'A spreadsheet cut this number, as in 6.12E+08. Format the column as text and export it again.',
  date: 'Must be a date such as 1985-04-03.',
  birth: 'Must be a date of birth.',
  language: 'Must be a language that the service has.',
  amount: 'Must be an amount.',
  digits: 'Has more decimals than the currency.',
  large: 'Is too large.',
  percent: 'Must be a percentage from 0 to 100.',
  yes_no: 'Must be yes or no.',
  category: 'Unknown category.',
  code: 'Must be letters, digits and . _ / - (30 at most).',
  taken: 'Another record has this already.',
  twice: 'An earlier row of the file is for the same record.',
  several: 'Several patients have this email and date of birth. Give each row an external ID.',
  cells: 'Has more cells than the file has columns.',
  external_id: 'Must be 1 to 100 characters.',
  letters: 'Has a letter that can’t be read. Choose another encoding, or correct it in the file.',
  another: 'Another person has this number.',
  full_name: 'Must have a first and a last name.',
  in_notes: 'The first address was taken. The rest is in the notes.'
}

export const foldHeader = text =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/[^\p{L}\p{N}%]+/gu, ' ').trim()

// Marks that say in which direction a text reads, of files from right-to-left programs.
const MARKS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g
// Numbers, dates and words are short; a longer cell can't be one of them.
const LONGEST = 100
const plain = text => text.length > LONGEST ? '' : text.replace(MARKS, '').trim()

const points = new Map()
function hasDecimalPoint(locale) {
  if (!points.has(locale)) {
    const parts = new Intl.NumberFormat(displayLocale(locale)).formatToParts(0.5)
    points.set(locale, parts.some(({ type, value }) => type === 'decimal' && value === '.'))
  }
  return points.get(locale)
}

// Groups of three, parted by what people and their programs part them with.
const WITH_POINT = /^(\d+|[1-9]\d{0,2}(?:[,'’ \u00A0\u202F]\d{3})+)(?:\.(\d+))?$/
const WITH_COMMA = /^(\d+|[1-9]\d{0,2}(?:[.'’ \u00A0\u202F]\d{3})+)(?:,(\d+))?$/
const ISO = /^(\d+)(?:\.(\d+))?$/

/** What has exactly the currency's decimals behind a point is ISO's form in any language: exports write that. */
export function readDecimal(text, { locale, currency }) {
  const bare = withoutSigns(toDecimalText(plain(text)), currency, locale)
  const iso = ISO.exec(bare)
  if (iso && iso[2]?.length === (currency === undefined ? 2 : digitsOf(currency))) return join(iso[1], iso[2])
  const [own, other] = hasDecimalPoint(locale) ? [WITH_POINT, WITH_COMMA] : [WITH_COMMA, WITH_POINT]
  // In the other form only what has no meaning in the clinic's own: `1.234,50`, or `12,50`, of a clinic in English.
  const typed = own.exec(bare) ?? iso ?? other.exec(bare)
  return typed ? join(typed[1].replace(/\D/g, ''), typed[2]) : null
}

const escape = sign => sign.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
const join = (whole, fraction) => (whole.replace(/^0+(?=\d)/, '')) + (fraction === undefined ? '' : `.${fraction}`)

const signs = new Map()
function withoutSigns(text, currency, locale) {
  const key = `${locale} ${currency}`
  if (!signs.has(key)) {
    const symbols = currency === undefined
      ? []
      : ['symbol', 'narrowSymbol'].map(currencyDisplay =>
          new Intl.NumberFormat(displayLocale(locale), { style: 'currency', currency, currencyDisplay })
            .formatToParts(1)
            .find(({ type }) => type === 'currency').value
        )
    const known = ['%', '\u066A', ...currency === undefined ? [] : [currency, ...symbols]]
    const any = `(?:${known.map(sign => escape(plain(sign))).join('|')})`
    signs.set(key, new RegExp(`^${any}\\s*|\\s*${any}$`, 'giu'))
  }
  return text.replace(signs.get(key), '')
}

const orders = new Map()
/** Which of day, month and year comes first in the clinic's country; null where only English is known of it. */
function orderOf(locale, country) {
  const key = `${locale} ${country}`
  if (!orders.has(key)) orders.set(key, findOrder(new Intl.Locale(displayLocale(locale)), country))
  return orders.get(key)
}

function findOrder({ language, region = null }, country) {
  const place = region ?? country
  if (place === null && language === 'en') return null
  const short = { dateStyle: 'short', calendar: 'gregory', numberingSystem: 'latn' }
  let format = new Intl.DateTimeFormat(place === null ? language : `${language}-${place}`, short)
  // English of a country that has none of its own would be that of the United States.
  if (place !== null && !format.resolvedOptions().locale.includes(`-${place}`))
    format = new Intl.DateTimeFormat(`${new Intl.Locale(`und-${place}`).maximize().language}-${place}`, short)
  const types = format.formatToParts(new Date(0)).map(({ type }) => type)
  return types.filter(type => ['day', 'month', 'year'].includes(type))
}

/** Where day and month can't be told apart the date is refused. */
function guessOrder([first, second]) {
  if (first.length === 4) return ['year', 'month', 'day']
  if (Number(first) > 12 || Number(first) === Number(second)) return ['day', 'month', 'year']
  return Number(second) > 12 ? ['month', 'day', 'year'] : null
}

/** The last day of 1985: its day can't be taken for a month. */
export function dateExample({ locale, country }) {
  const order = orderOf(locale, country)
  if (!order) return '1985-12-31'
  const separator = order[0] === 'year' ? '-' : locale.startsWith('de') ? '.' : '/'
  return order.map(type => ({ year: '1985', month: '12', day: '31' })[type]).join(separator)
}

export function readDate(text, { locale, country }) {
  const bare = toLatinDigits(plain(text))
  const iso = /^(\d{4})-(\d\d)-(\d\d)$/.exec(bare)
  if (iso) return toDay({ year: iso[1], month: iso[2], day: iso[3] })
  const parts = bare.split(/[./-]/).map(part => part.trim())
  if (parts.length !== 3 || !parts.every(part => /^\d{1,4}$/.test(part))) return null
  const order = orderOf(locale, country) ?? guessOrder(parts)
  return order && toDay(Object.fromEntries(order.map((type, index) => [type, parts[index]])))
}

/** 30 February isn't a day. */
function toDay({ year, month, day }) {
  if (year.length !== 4 || month.length > 2 || day.length > 2) return null
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const at = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text) ? text : null
}

// As people write it in the six languages, and as their spreadsheets do.
const YES
  = 'yes y true 1 x si s verdadero activo oui o vrai actif ja j wahr aktiv sim verdadeiro ativo active نعم صحيح نشط'
const NO = 'no n false 0 falso inactivo non faux inactif nein falsch inaktiv nao inativo inactive لا خطأ غير_نشط'
const words = text => new Set(text.split(' ').map(word => foldHeader(word.replaceAll('_', ' '))))
const [yes, no] = [words(YES), words(NO)]

export function readYesNo(text) {
  const word = foldHeader(toLatinDigits(plain(text)))
  return yes.has(word) ? true : no.has(word) ? false : null
}

let languages
export function readLanguage(text) {
  languages ??= new Map(LANGUAGES.flatMap((language) => {
    const names = LANGUAGES.map(in_language => new Intl.DisplayNames(in_language, { type: 'language' }).of(language))
    return [language, ...names].map(name => [foldHeader(name), language])
  }))
  const word = foldHeader(plain(text))
  return languages.get(word) ?? languages.get(word.split(' ')[0]) ?? null
}
