import type { ImportAtHand, ImportRemark } from '@svc/kit'
import { WRONG } from '@svc/kit/cells'
import { isNoDate } from '@svc/kit/dates'
import { isEmptyMark, isEmptyWord } from '@svc/kit/empty-words'
import { splitName } from '@svc/kit/names'
import { searchOf } from '../../db/patients.ts'
import { readCell, type RunFacts } from './read-cell.ts'

/** The values of a row. Empty cells are left out. */
export interface PatientFields {
  external_id?: string
  first_name?: string
  last_name?: string
  email?: string
  phone?: string
  date_of_birth?: string
  locale?: string
  tax_number?: string
  address?: string
  notes?: string
  /** Further contents of cells, such as a second address. They are appended to the notes. */
  remarks?: string[]
}

type Answer
  = | { fields: PatientFields, lost: ImportRemark[], notes: ImportRemark[] }
    | { wrong: { column: string, message: string } }

/**
 * If one of these values is wrong, the row is left out, because it would describe no patient or another one. In these
 * columns, words for “nothing” are read as text.
 */
const IDENTITY = new Set(['external_id', 'first_name', 'last_name', 'full_name'])

export function readPatient(cells: Record<string, string>, at: ImportAtHand<RunFacts>): Answer {
  const named = withNames(withoutEmpty(cells), at)
  if (named.full_name !== undefined) return { wrong: { column: 'full_name', message: WRONG.full_name } }
  const fields: PatientFields = {}
  const said = { lost: [] as ImportRemark[], notes: [] as ImportRemark[] }
  for (const [column, cell] of Object.entries(named)) {
    const read = readCell(column, cell, at)
    if ('wrong' in read) {
      const wrong = { column: column in cells ? column : 'full_name', message: read.wrong }
      if (IDENTITY.has(column) || at.options.on_wrong?.[column]) return { wrong }
      said.lost.push(wrong)
      continue
    }
    fields[column as Exclude<keyof PatientFields, 'remarks'>] = read.value
    if (read.remark !== undefined) (fields.remarks ??= []).push(read.remark)
    if (read.note !== undefined) said.notes.push({ column, message: read.note, ...column === 'date_of_birth' && { value: `${cell} → ${read.value}` } })
  }
  return { fields, ...said }
}

/** Notes are not normalized, because their text may be intentional. */
function withoutEmpty(cells: Record<string, string>): Record<string, string> {
  const filled: Record<string, string> = {}
  for (const [column, cell] of Object.entries(cells))
    if (column === 'notes' || !isNothing(column, cell)) filled[column] = cell
  return filled
}

const isNothing = (column: string, cell: string) =>
  IDENTITY.has(column)
    ? isEmptyMark(cell)
    : isEmptyWord(cell) || (column === 'date_of_birth' && isNoDate(cell))

/**
 * Splits a full name, unless separate columns have the first and last name. A full name with only one part stays as it
 * is.
 */
function withNames(
  { full_name, ...cells }: Record<string, string>,
  { settings: { locale }, options: { name_order: order = 'first_last' } }: ImportAtHand<RunFacts>
): Record<string, string> {
  if (full_name === undefined) return cells
  const named = { ...splitName(full_name, { order, locale }), ...cells }
  return named.last_name === undefined ? { ...cells, full_name } : named
}

/** The text for matching a row that has neither an external id nor email and date of birth: all its values. */
export const textOf = (fields: PatientFields): string | null =>
  fields.external_id !== undefined || (fields.email !== undefined && fields.date_of_birth !== undefined)
    ? null
    : searchOf({ first_name: '', last_name: '', ...fields })
