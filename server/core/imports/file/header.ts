import type { ImportColumn } from '@svc/kit'
import { invalid } from '../../http/validate.ts'
import { guessPlaces, nameColumns } from './columns.ts'
import type { FileRow } from './read-rows.ts'

/** The lines that hold no records, and the names of the columns. */
export interface Header { header: string[], header_line: number, first_line: number, passed_over: number[] }

/** A header has at most this many title lines above it. */
const MAX_TITLES = 20

/**
 * `rows`: the first rows of the file. `chosen`: the line that the user chose, 0 for none. Throws `validation_failed`
 * for a line on which no row begins.
 */
export function findHeader(rows: FileRow[], fields: ImportColumn[], chosen: number | undefined): Header {
  const width = widthOf(rows)
  if (chosen === undefined) {
    const at = guessHeader(rows.slice(0, MAX_TITLES), fields, width)
    return at === null ? withoutHeader(rows, width) : withHeader(rows, at)
  }
  if (chosen === 0) return withoutHeader(rows, width)
  const at = rows.findIndex(({ line }) => line === chosen)
  if (at === -1) throw invalid([{ pointer: '/header_line', message: 'No row of the file begins at this line.' }])
  return withHeader(rows, at)
}

function withHeader(rows: FileRow[], at: number): Header {
  const { cells: header, line } = rows[at]!
  const rules = rows.slice(at + 1, at + 2).filter(isRule)
  return {
    header,
    header_line: line,
    first_line: line + 1,
    passed_over: [...rows.slice(0, at), ...rules].map(row => row.line)
  }
}

/** Names columns by position. A title line above is narrower than every row. */
function withoutHeader(rows: FileRow[], width: number): Header {
  const at = Math.max(rows.findIndex(row => filledOf(row) > 1 || width < 3), 0)
  const columns = Math.max(...rows.map(({ cells }) => cells.length))
  return {
    header: Array<string>(columns).fill(''),
    header_line: 0,
    first_line: rows[at]!.line,
    passed_over: rows.slice(0, at).map(({ line }) => line)
  }
}

/** The row that matches the most fields; otherwise the first row that is as wide as the others and holds only names. */
function guessHeader(rows: FileRow[], fields: ImportColumn[], width: number): number | null {
  const known = rows.map(({ cells }) => Object.values(guessPlaces(nameColumns(cells), fields)).flat().length)
  const most = Math.max(...known)
  const at = known.indexOf(most)
  if (most > 1 || (most === 1 && filledOf(rows[at]!) * 2 > width)) return at
  const first = Math.max(rows.findIndex(row => filledOf(row) > 1 || width < 3), 0)
  return rows[first]!.cells.some(isValue) ? null : first
}

const filledOf = ({ cells }: FileRow) => cells.filter(cell => cell.trim() !== '').length

/** The number of cells that most rows have. */
function widthOf(rows: FileRow[]): number {
  const counts = Map.groupBy(rows.map(({ cells }) => cells.length), width => width)
  return [...counts].reduce((best, next) => next[1].length > best[1].length ? next : best)[0]
}

/** An address, a number or a date, which is never the name of a column. */
const isValue = (cell: string) =>
  /\S@\S+\.\S/.test(cell) || (/\d/.test(cell) && /^[\d\s.,/:+()€$%-]+$/.test(cell))

/** Dashes below the names, as database consoles print them. */
const isRule = ({ cells }: FileRow) => cells.every(cell => /^[-=_+ ]*$/.test(cell)) && cells.some(cell => cell.length > 1)
