import type { ImportColumn } from '@svc/kit'
import { foldHeader } from '@svc/kit/cells'
import { unescapeCell } from '@svc/kit/csv'
import { invalid, toPointer } from '../../http/validate.ts'

/** Field → index of its column in the file, or of its columns. */
export type Places = Record<string, number | number[]>
/** The headers that the user chose for each field. */
type Mapping = Record<string, string | string[]>

const MAX_COLUMNS = 4
const listOf = <T>(one: T | T[]): T[] => Array.isArray(one) ? one : [one]

const MAX_HEADER_LENGTH = 200

/** Headers as users see them: none is empty, and all are different. */
export function nameColumns(cells: string[]): string[] {
  const used = new Map<string, number>()
  return cells.map((cell, index) => {
    const text = cell.replace(/[\p{Cc}\u2028\u2029]/gu, ' ').trim()
    const plain = [...text].slice(0, MAX_HEADER_LENGTH).join('') || `#${index + 1}`
    let [name, n] = [plain, used.get(plain) ?? 1]
    while (used.has(name)) name = `${plain} (${++n})`
    used.set(plain, n)
    used.set(name, used.get(name) ?? 1)
    return name
  })
}

/** Blanks don't count: “FecNacim” is “Fec. Nacim.” */
const keyOf = (header: string) => foldHeader(header).replaceAll('ß', 'ss').replaceAll(' ', '')

/** Guesses columns by the known headers of each field. A column belongs to the first field that has its header. */
export function guessPlaces(columns: string[], fields: ImportColumn[]): Places {
  const keys = columns.map(column => keyOf(column.replace(/ \(\d+\)$/, '')))
  const places: Places = {}
  const taken = new Set<number>()
  for (const field of fields) {
    const found = findColumns(keys, field).filter(place => !taken.has(place)).slice(0, field.most ?? MAX_COLUMNS)
    if (found.length === 0) continue
    found.forEach(place => taken.add(place))
    places[field.name] = found.length === 1 ? found[0]! : found
  }
  return moveAlone(keys, places, fields)
}

/**
 * For a field that takes the first filled column: all that match. Otherwise the column of the whole value, or one for
 * each of its parts.
 */
function findColumns(keys: string[], { name, headers, parts = [], combine }: ImportColumn): number[] {
  const withAny = (some: string[]) => {
    const known = new Set(some.map(keyOf))
    return keys.flatMap((key, place) => known.has(key) ? [place] : [])
  }
  const inParts = parts.flatMap(withAny)
  const whole = withAny([name, ...headers]).filter(place => !inParts.includes(place))
  if (combine === 'first') return [...new Set([...whole, ...inParts])]
  // A second column with the same header is used where the first is empty.
  if (combine === undefined && whole.length > 0) return whole.filter(place => keys[place] === keys[whole[0]!])
  return whole.length > 0 ? whole.slice(0, 1) : parts.flatMap(part => withAny(part).slice(0, 1))
}

function moveAlone(keys: string[], places: Places, fields: ImportColumn[]): Places {
  for (const { name, alone = [] } of fields) {
    for (const { instead_of, without, headers } of alone) {
      const place = places[instead_of]
      const isIt = typeof place === 'number' && headers.some(header => keyOf(header) === keys[place])
      if (!isIt || name in places || without.some(field => field in places)) continue
      const { [instead_of]: moved, ...others } = places
      return { ...others, [name]: moved! }
    }
  }
  return places
}

/** Throws `validation_failed` for an unknown field or column, and for too many columns of a field. */
export function placesOf(mapping: Mapping, columns: string[], fields: ImportColumn[]): Places {
  const errors = Object.entries(mapping).flatMap(([name, headers]) => {
    const field = fields.find(known => known.name === name)
    const pointer = toPointer(['mapping', name])
    if (!field) return [{ pointer, message: 'This import has no such field.' }]
    if (listOf(headers).length > (field.most ?? MAX_COLUMNS))
      return [{ pointer, message: `Takes ${field.most ?? MAX_COLUMNS} columns at most.` }]
    return listOf(headers).every(header => columns.includes(header))
      ? []
      : [{ pointer, message: 'The file has no such column.' }]
  })
  if (errors.length > 0) throw invalid(errors)
  return mapPlaces(mapping, header => columns.indexOf(header))
}

export const toMapping = (places: Places, columns: string[]): Mapping => mapPlaces(places, place => columns[place]!)

/** A single value stays single and does not become a list. */
function mapPlaces<From, To>(all: Record<string, From | From[]>, change: (one: From) => To): Record<string, To | To[]> {
  return Object.fromEntries(Object.entries(all).map(([field, some]) => {
    const changed = listOf(some).map(change)
    return [field, changed.length === 1 ? changed[0]! : changed]
  }))
}

/** The header of a field's first column. For a field without a column, the field's own name. */
export const headerOf = (field: string, places: Places, columns: string[]): string =>
  columns[listOf(places[field] ?? -1)[0]!] ?? field

/** A row's cells by field, without the empty ones. */
export function cellsOf(row: string[], places: Places, fields: ImportColumn[] = []): Record<string, string> {
  const cells: Record<string, string> = {}
  const cellAt = (place: number) => unescapeCell(row[place] ?? '').trim()
  for (const [name, some] of Object.entries(places)) {
    const filled = (Array.isArray(some) ? some : [some]).map(cellAt).filter(cell => cell !== '')
    if (filled.length === 1) cells[name] = filled[0]!
    else if (filled.length > 1) cells[name] = combine(filled, fields.find(field => field.name === name))
  }
  return cells
}

const combine = (filled: string[], field: ImportColumn | undefined): string =>
  field?.combine === 'join' ? filled.join(field.separator ?? ' ') : filled[0]!
