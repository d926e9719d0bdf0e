import type { ImportAtHand, ImportRemark, ImportSettings } from '@svc/kit'
import { foldHeader, readDecimal, readYesNo, WRONG } from '@svc/kit/cells'
import { isEmptyMark, isEmptyWord } from '@svc/kit/empty-words'
import { exponent, parseMoney, parsePercent } from '@svc/kit/money'
import { line, text } from '@svc/kit/schemas'
import { TreatmentChange } from '../../../shared/contract.ts'
import type { Texts } from '../../db/schema.ts'
import { LARGEST_PERCENT, LARGEST_PRICE } from '../read-fields.ts'

/** What a row says of a treatment; what its cells leave empty is absent. */
export interface TreatmentFields {
  external_id?: string
  code?: string
  name?: Texts
  description?: Texts
  category?: string
  /** Minor units, in the clinic's mode: a price with tax stays as it was typed. */
  unit_price?: string
  vat?: number
  active?: boolean
}
export interface Given {
  /** Folded name in any language, or code → code. */
  categories: Map<string, string>
  /** Of texts without a language. */
  language: string
}

interface Wrong { wrong: { column: string, message: string } }
type At = ImportAtHand<Given>
type Read<T> = T | { message: string }

const wrong = (message: string) => ({ message })
const isWrong = (value: unknown): value is { message: string } =>
  typeof value === 'object' && value !== null && 'message' in value

const READERS: Record<string, (cell: string, at: At) => Read<string | number | boolean>> = {
  external_id: cell => line(100).safeParse(cell).data ?? wrong(WRONG.external_id),
  code: cell => TreatmentChange.shape.code.safeParse(cell).data ?? wrong(WRONG.code),
  category: (cell, { given }) => given.categories.get(foldHeader(cell)) ?? wrong(WRONG.category),
  unit_price: (cell, { settings }) => readPrice(cell, settings),
  vat: (cell, { settings }) => readVat(cell, settings.locale),
  active: cell => readYesNo(cell) ?? wrong(WRONG.yes_no)
}

type Answer = { fields: TreatmentFields, lost: ImportRemark[] } | Wrong

export function readTreatment(cells: Record<string, string>, at: At): Answer {
  const fields: Record<string, unknown> = {}
  const lost: ImportRemark[] = []
  for (const [column, cell] of Object.entries(cells)) {
    if (isEmptyCell(column, cell)) continue
    const [field, language = at.given.language] = /^(name|description)(?:_(\w\w))?$/.exec(column)?.slice(1) ?? [column]
    const value = field === 'name' || field === 'description' ? readText(field, cell) : READERS[column]!(cell, at)
    if (isWrong(value)) {
      const wrong = { column, message: value.message }
      if (!canBeLost(column) || at.options.on_wrong?.[column]) return { wrong }
      lost.push(wrong)
      continue
    }
    if (field !== 'name' && field !== 'description') fields[field!] = value
    // A column that names its language says it better.
    else if (column !== field || !cells[`${field}_${language}`])
      fields[field] = { ...fields[field] as Texts | undefined, [language]: value }
  }
  return { fields, lost }
}

/** A treatment without its price or tax rate would be sold at another one. */
const canBeLost = (column: string) => /^(?:description(?:_\w\w)?|category|active)$/.test(column)

/** Texts stay as they are. */
const isEmptyCell = (column: string, cell: string) =>
  /^(?:category|unit_price|vat|active)$/.test(column)
    ? isEmptyWord(cell) && !(column === 'active' && readYesNo(cell) !== null)
    : /^(?:code|external_id)$/.test(column) && isEmptyMark(cell)

function readText(field: 'name' | 'description', cell: string): Read<string> {
  const parsed = (field === 'name' ? line(200) : text(2000)).safeParse(cell)
  if (parsed.success) return parsed.data
  return wrong(parsed.error.issues[0]!.code === 'too_big' ? WRONG.long : WRONG.text)
}

function readPrice(cell: string, { locale, currency }: ImportSettings): Read<string> {
  const typed = readDecimal(cell, { locale, currency })
  if (typed === null) return wrong(WRONG.amount)
  // "1,500" of an English file in a Spanish clinic: exactly three decimals may be meant as thousands.
  if (typed.split('.')[1]?.length === 3 && exponent(currency) < 3) return wrong(WRONG.digits)
  const price = parseMoney(withoutZeros(typed), currency)
  if (price === null) return wrong(typed.length > 15 ? WRONG.large : WRONG.digits)
  return price > LARGEST_PRICE ? wrong(WRONG.large) : String(price)
}

/** `45.5000` is 45.50: spreadsheets write as many decimals as they are set to. */
function withoutZeros(typed: string): string {
  const [whole, fraction = ''] = typed.split('.')
  let end = fraction.length
  while (fraction[end - 1] === '0') end--
  return end === 0 ? whole! : `${whole}.${fraction.slice(0, end)}`
}

function readVat(cell: string, locale: string): Read<number> {
  const typed = readDecimal(cell, { locale })
  const percent = typed === null ? null : parsePercent(withoutZeros(typed))
  return percent === null || percent > LARGEST_PERCENT ? wrong(WRONG.percent) : Number(percent)
}
