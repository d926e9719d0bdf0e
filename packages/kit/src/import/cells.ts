/** Reads the cells of an imported file. Numbers and dates have the clinic's format, or ISO's. */
import { digitsOf } from '../digits.ts'
import { displayLocale } from '../locale.ts'
import { toDecimalText, toLatinDigits } from '../values/numerals.ts'

const LANGUAGES = ['en', 'es', 'fr', 'de', 'pt', 'ar']

/** Why a row of a file is left out: every sentence of the product, so that screens can translate them. */
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
  read_dmy: 'Could be read in two ways. Read as day, month, year.',
  read_mdy: 'Could be read in two ways. Read as month, day, year.',
  read_century: 'Has a year of two digits. Read as the latest one that isn’t in the future.',
  read_dmy_century: 'Could be read in two ways, and the year has two digits. Read as day, month and the latest year that'
    + ' isn’t in the future.',
  read_mdy_century: 'Could be read in two ways, and the year has two digits. Read as month, day and the latest year that'
    + ' isn’t in the future.',
  read_serial: 'Is a spreadsheet’s number for a date, as all dates of this column.',
  birth: 'Must be a date of birth.',
  language: 'Must be a language that the service has.',
  amount: 'Must be an amount.',
  negative: 'A price can’t be below zero.',
  no_price: 'A new record needs a price.',
  price_two_ways: 'Can be read in two ways: a point or comma before three digits parts thousands or decimals. Write it with two decimals.',
  vat_two_ways: 'Can be read in two ways: 0.21 may be 21 % or 0.21 %. Write it with a percent sign.',
  vat_negative: 'A tax rate can’t be below zero.',
  read_fraction: 'Is a fraction, as all tax rates of this column. Read as a percentage.',
  digits: 'Has more decimals than the currency.',
  large: 'Is too large.',
  percent: 'Must be a percentage from 0 to 100.',
  yes_no: 'Must be yes or no.',
  category: 'Unknown category.',
  counts: 'Must be a unit that the service has.',
  surfaces: 'Must be a number from 1 to 5.',
  code: 'Must be letters, digits and . _ / - (30 at most).',
  taken: 'Another record has this already.',
  twice: 'An earlier row of the file is for the same record.',
  several: 'Several patients have this email and date of birth. Give each row an external ID.',
  cells: 'Has more cells than the file has columns.',
  external_id: 'Must be 1 to 100 characters.',
  letters: 'Has a letter that can’t be read. Choose another encoding, or correct it in the file.',
  another: 'Another person has this number.',
  full_name: 'Must have a first and a last name.',
  in_notes: 'The first value was taken. The rest is in the notes.'
}

/** "Correo electrónico" → "correo electronico", so that headers and words compare equal in any spelling. */
export const foldHeader = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/[^\p{L}\p{N}%]+/gu, ' ').trim()

// Direction marks, which right-to-left programs write into files.
const MARKS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g
// Numbers, dates and words are short; a longer cell can't be one of them.
const MAX_LENGTH = 100
const plain = (text: string) => text.length > MAX_LENGTH ? '' : text.replace(MARKS, '').trim()

const points = new Map<string, boolean>()
function hasDecimalPoint(locale: string): boolean {
  let isPoint = points.get(locale)
  if (isPoint === undefined) {
    const parts = new Intl.NumberFormat(displayLocale(locale)).formatToParts(0.5)
    isPoint = parts.some(({ type, value }) => type === 'decimal' && value === '.')
    points.set(locale, isPoint)
  }
  return isPoint
}

// Groups of three digits, with the separators that people and programs use.
const WITH_POINT = /^(\d+|[1-9]\d{0,2}(?:[,'’ \u00A0\u202F]\d{3})+)(?:\.(\d+))?$/
const WITH_COMMA = /^(\d+|[1-9]\d{0,2}(?:[.'’ \u00A0\u202F]\d{3})+)(?:,(\d+))?$/
const ISO = /^(\d+)(?:\.(\d+))?$/

interface NumberAt { locale: string, currency?: string }
/**
 * `1.234,50 €` of a Spanish clinic, or `1234.50`, → `1234.50`; null for other texts. The currency's code or sign, or a
 * percent sign, may come before or after the number. `1,234.50` is read too, since it has only one meaning. A point
 * followed by exactly the currency's number of decimals is ISO's format in any language, as exports write it.
 */
export function readDecimal(text: string, { locale, currency }: NumberAt): string | null {
  const bare = withoutSigns(toDecimalText(plain(text)), currency, locale)
  const iso = ISO.exec(bare)
  if (iso && iso[2]?.length === (currency === undefined ? 2 : digitsOf(currency))) return join(iso[1]!, iso[2])
  const [own, other] = hasDecimalPoint(locale) ? [WITH_POINT, WITH_COMMA] : [WITH_COMMA, WITH_POINT]
  // The other format is tried only for texts that mean nothing in the clinic's own: `1.234,50` or `12,50` in English.
  const typed = own.exec(bare) ?? iso ?? other.exec(bare)
  return typed ? join(typed[1]!.replace(/\D/g, ''), typed[2]) : null
}

const escape = (sign: string) => sign.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
const join = (whole: string, fraction: string | undefined) =>
  (whole.replace(/^0+(?=\d)/, '')) + (fraction === undefined ? '' : `.${fraction}`)

const signs = new Map<string, RegExp>()
function withoutSigns(text: string, currency: string | undefined, locale: string): string {
  const key = `${locale} ${currency}`
  let pattern = signs.get(key)
  if (!pattern) {
    const symbols = currency === undefined
      ? []
      : (['symbol', 'narrowSymbol'] as const).map(currencyDisplay =>
          new Intl.NumberFormat(displayLocale(locale), { style: 'currency', currency, currencyDisplay })
            .formatToParts(1)
            .find(({ type }) => type === 'currency')!.value
        )
    const known = ['%', '\u066A', ...currency === undefined ? [] : [currency, ...symbols]]
    const any = `(?:${known.map(sign => escape(plain(sign))).join('|')})`
    pattern = new RegExp(`^${any}\\s*|\\s*${any}$`, 'giu')
    signs.set(key, pattern)
  }
  return text.replace(pattern, '')
}

// The words that people and spreadsheets write in the six languages.
const YES
  = 'yes y true 1 x si s verdadero activo oui o vrai actif ja j wahr aktiv sim verdadeiro ativo active نعم صحيح نشط'
const NO = 'no n false 0 falso inactivo non faux inactif nein falsch inaktiv nao inativo inactive لا خطأ غير_نشط'
const words = (text: string) => new Set(text.split(' ').map(word => foldHeader(word.replaceAll('_', ' '))))
const [yes, no] = [words(YES), words(NO)]

/** `sí`, `nein`, `1`, `WAHR` …; null for any other word. */
export function readYesNo(text: string): boolean | null {
  const word = foldHeader(toLatinDigits(plain(text)))
  return yes.has(word) ? true : no.has(word) ? false : null
}

let languages: Map<string, string> | undefined
/** `es`, `es-MX`, `Español`, `Spanish`, `Spanisch` … → `es`; null for a language that the product doesn't support. */
export function readLanguage(text: string): string | null {
  languages ??= new Map(LANGUAGES.flatMap((language) => {
    const names = LANGUAGES.map(in_language => new Intl.DisplayNames(in_language, { type: 'language' }).of(language)!)
    return [language, ...names].map(name => [foldHeader(name), language] as const)
  }))
  const word = foldHeader(plain(text))
  return languages.get(word) ?? languages.get(word.split(' ')[0]!) ?? null
}
