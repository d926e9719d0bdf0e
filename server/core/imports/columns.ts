import type { ImportColumn } from '@svc/kit'
import { foldHeader } from '@svc/kit/cells'
import { unescapeCell } from '@svc/kit/csv'
import { invalid } from '../http/validate.ts'

/** Field → place of its column in the file. */
export type Places = Record<string, number>

const LONGEST_HEADER = 200

/** Headers as people see them: each has a text, and no two are the same. */
export function nameColumns(cells: string[]): string[] {
  const used = new Map<string, number>()
  return cells.map((cell, index) => {
    const text = cell.replace(/[\p{Cc}\u2028\u2029]/gu, ' ').trim()
    const plain = [...text].slice(0, LONGEST_HEADER).join('') || `#${index + 1}`
    let [name, n] = [plain, used.get(plain) ?? 1]
    while (used.has(name)) name = `${plain} (${++n})`
    used.set(plain, n)
    used.set(name, used.get(name) ?? 1)
    return name
  })
}

/** By the headers that fields are known by; the first column of the file that fits takes a field. */
export function guessPlaces(columns: string[], fields: ImportColumn[]): Places {
  const known = new Map(fields.flatMap(({ name, headers }) =>
    [name, ...headers].map(header => [foldHeader(header), name] as const)))
  const places: Places = {}
  for (const [index, column] of columns.entries()) {
    const field = known.get(foldHeader(column))
    if (field !== undefined && !Object.hasOwn(places, field)) places[field] = index
  }
  return places
}

/** Throws `validation_failed` for a field or a column that there is not. */
export function placesOf(mapping: Record<string, string>, columns: string[], fields: ImportColumn[]): Places {
  const errors = Object.entries(mapping).flatMap(([field, column]) => {
    const pointer = `/mapping/${field.replaceAll('~', '~0').replaceAll('/', '~1')}`
    if (!fields.some(({ name }) => name === field)) return [{ pointer, message: 'This import has no such field.' }]
    return columns.includes(column) ? [] : [{ pointer, message: 'The file has no such column.' }]
  })
  if (errors.length > 0) throw invalid(errors)
  return Object.fromEntries(Object.entries(mapping).map(([field, column]) => [field, columns.indexOf(column)]))
}

export const toMapping = (places: Places, columns: string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(places).map(([field, index]) => [field, columns[index]!]))

/** A row's cells by their fields, those that are empty left out. */
export function cellsOf(row: string[], places: Places): Record<string, string> {
  const cells: Record<string, string> = {}
  for (const [field, index] of Object.entries(places)) {
    const cell = unescapeCell(row[index] ?? '').trim()
    if (cell !== '') cells[field] = cell
  }
  return cells
}
