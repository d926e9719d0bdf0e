import type { ImportAtHand, ImportRemark } from '@svc/kit'
import { foldHeader, readYesNo, WRONG } from '@svc/kit/cells'
import { toDecimalText } from '@svc/kit/numerals'
import { isEmptyMark, isEmptyWord } from '@svc/kit/empty-words'
import { line, text } from '@svc/kit/schemas'
import { MAX_SURFACES, TreatmentChange, type Counts } from '../../../shared/contract.ts'
import type { Texts } from '../../db/schema.ts'
import { COUNT_WORDS } from './count-words.ts'
import { readPrice, readVat, surveyPrice, surveyVat, type AmountSurvey } from './read-amounts.ts'

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
  counts?: Counts
  surfaces?: number
}
export interface TreatmentSurvey {
  /** Folded name in any language, or code → code. */
  categories: Map<string, string>
  /** Of texts without a language. */
  language: string
  amounts: AmountSurvey
}

interface Wrong { wrong: { column: string, message: string } }
type At = ImportAtHand<TreatmentSurvey>
type Read<T> = T | { message: string }

const wrong = (message: string) => ({ message })
const isWrong = (value: unknown): value is { message: string } =>
  typeof value === 'object' && value !== null && 'message' in value

const READERS: Record<string, (cell: string, at: At) => Read<string | number | boolean>> = {
  external_id: cell => line(100).safeParse(cell).data ?? wrong(WRONG.external_id),
  code: cell => TreatmentChange.shape.code.safeParse(cell).data ?? wrong(WRONG.code),
  category: (cell, { given }) => given.categories.get(foldHeader(cell)) ?? wrong(WRONG.category),
  active: cell => readYesNo(cell) ?? wrong(WRONG.yes_no),
  counts: cell => readCounts(cell) ?? wrong(WRONG.counts),
  surfaces: cell => readSurfaces(cell) ?? wrong(WRONG.surfaces)
}

let counts: Map<string, Counts> | undefined
function readCounts(cell: string): Counts | null {
  const words = Object.entries(COUNT_WORDS) as [Counts, readonly string[]][]
  counts ??= new Map(words.flatMap(([kind, own]) => own.map(word => [foldHeader(word), kind] as const)))
  return counts.get(foldHeader(cell)) ?? null
}

function readSurfaces(cell: string): number | null {
  const number = Number(/^(\d)(?:[.,]0{1,4})? ?\+?$/.exec(toDecimalText(cell).trim())?.[1])
  return number >= 1 && number <= MAX_SURFACES ? number : null
}

type Answer = { fields: TreatmentFields, lost: ImportRemark[], notes: ImportRemark[] } | Wrong

export function surveyTreatment({ unit_price, vat }: Record<string, string>, { settings, given }: At): void {
  if (unit_price !== undefined) surveyPrice(unit_price, given.amounts)
  if (vat !== undefined) surveyVat(vat, settings, given.amounts)
}

export function readTreatment(cells: Record<string, string>, at: At): Answer {
  const fields: Record<string, unknown> = {}
  const lost: ImportRemark[] = []
  const notes: ImportRemark[] = []
  for (const [column, cell] of Object.entries(cells)) {
    if (isEmptyCell(column, cell)) continue
    const [field, language = at.given.language] = /^(name|description)(?:_(\w\w))?$/.exec(column)?.slice(1) ?? [column]
    const value = readField(column, cell, { ...at, notes })
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
  return { fields, lost, notes }
}

function readField(column: string, cell: string, at: At & { notes: ImportRemark[] }): Read<string | number | boolean> {
  const text = /^(name|description)(?:_\w\w)?$/.exec(column)?.[1]
  if (text) return readText(text as 'name' | 'description', cell)
  if (column !== 'unit_price' && column !== 'vat') return READERS[column]!(cell, at)
  const read = (column === 'vat' ? readVat : readPrice)(cell, at.settings, at.given.amounts)
  if ('wrong' in read) return wrong(read.wrong)
  if (read.note) at.notes.push({ column, message: read.note, value: `${cell} → ${Number(read.value) / 100} %` })
  return read.value
}

/** A treatment without its price or tax rate would be sold at another one. */
const canBeLost = (column: string) => /^(?:description(?:_\w\w)?|category|active|counts|surfaces)$/.test(column)

/** Texts stay as they are. */
const isEmptyCell = (column: string, cell: string) =>
  /^(?:category|unit_price|vat|active|counts|surfaces)$/.test(column)
    ? isEmptyWord(cell) && !(column === 'active' && readYesNo(cell) !== null)
    : /^(?:code|external_id)$/.test(column) && isEmptyMark(cell)

function readText(field: 'name' | 'description', cell: string): Read<string> {
  const parsed = (field === 'name' ? line(200) : text(2000)).safeParse(cell)
  if (parsed.success) return parsed.data
  return wrong(parsed.error.issues[0]!.code === 'too_big' ? WRONG.long : WRONG.text)
}
