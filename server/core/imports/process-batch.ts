import { v7 } from 'uuid'
import type {
  Ctx, ImportAtHand, ImportKind, ImportMatch, ImportOptions, ImportRemark, ImportRow, ImportSettings, ImportWrong, Tx
} from '@svc/kit'
import { WRONG } from '@svc/kit/cells'
import type { ImportTotals } from '../db/schema.ts'
import { cellsOf, headerOf, type Places } from './file/columns.ts'
import { shorten, type Remark, type Renamed } from './remarks.ts'
import type { SeenNames } from './seen-names.ts'
import type { FileRow } from './file/read-rows.ts'

export const BATCH_ROWS = 500

export interface WrongRow { line: number, column: string, message: string }
export interface Outcome {
  counts: Required<ImportTotals>
  /** Rows that are left out. */
  wrong: Remark[]
  /** Cells that could not be imported, while their rows were. */
  lost: Remark[]
  /** Remarks on how ambiguous cells were read. */
  notes: Remark[]
  renamed: Renamed[]
}

/** Without the cell's value, because this part is stored unsealed. */
export const toWrongRow = ({ line, column, message }: Remark): WrongRow => ({ line, column, message })

/** A kind, and what one run of it needs. */
export interface Run {
  kind: ImportKind
  ctx: Ctx
  clinic_id: string
  user_id: string | null
  settings: ImportSettings
  options: ImportOptions
  columns: string[]
  places: Places
  given: unknown
  seen: SeenNames
}

/** Batches of the rows after the first `skip` rows. */
export async function* batchesOf(rows: AsyncIterable<FileRow>, skip: number): AsyncGenerator<FileRow[]> {
  let [at, batch] = [0, [] as FileRow[]]
  for await (const row of rows) {
    if (at++ < skip) continue
    batch.push(row)
    if (batch.length < BATCH_ROWS) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

interface Read {
  row: FileRow
  cells: Record<string, string>
  fields: unknown
  lost: ImportRemark[]
  notes: ImportRemark[]
}
type Matched = Read & { match: ImportMatch }
type Result = { wrong: Remark } | Matched

/** The part of the run that is passed to the kind's functions. */
export const atHand = ({ settings, given, options }: Run): ImportAtHand => ({ settings, given, options })

/** Processes one batch in the caller's transaction. A check writes nothing. */
export async function processBatch(run: Run, tx: Tx, rows: FileRow[], is_check: boolean): Promise<Outcome> {
  const results = (await matchRows(run, tx, rows.map(row => readRow(run, row)), !is_check))
    .map(entry => 'wrong' in entry ? entry : refuseSecond(run, entry))
  const kept = results.filter((entry): entry is Matched => !('wrong' in entry))
  const toWrite = kept.filter(({ match }) => match.id === null || match.changed)
  const written = toWrite.map(toRow)
  for (const { id, is_new } of written) if (is_new) run.seen.add(`id ${id}`)
  const { kind, ctx, clinic_id, user_id } = run
  if (!is_check && written.length > 0) await kind.write(ctx, { ...atHand(run), clinic_id, user_id, tx, rows: written })
  return outcomeOf(run, results, kept, toWrite)
}

function outcomeOf(run: Run, results: Result[], kept: Matched[], toWrite: Matched[]): Outcome {
  const wrong = results.flatMap(entry => 'wrong' in entry ? [entry.wrong] : [])
  const lost = kept.flatMap(({ row, cells, lost }) => lost.map(remark => toRemark(run, row, remark, cells)))
  const notes = kept.flatMap(({ row, cells, notes }) => notes.map(remark => toRemark(run, row, remark, cells)))
  const renamed = toWrite.flatMap(({ row, match }) => match.renamed ? [{ line: row.line, ...match.renamed }] : [])
  const added = toWrite.filter(({ match }) => match.id === null).length
  const counts = {
    new: added,
    changed: toWrite.length - added,
    same: kept.length - toWrite.length,
    wrong: wrong.length,
    lost: lost.length,
    notes: notes.length,
    renamed: renamed.length
  }
  return { counts, wrong, lost, notes, renamed }
}

async function matchRows(run: Run, tx: Tx, read: (Read | { wrong: Remark })[], lock: boolean): Promise<Result[]> {
  const rows = read.filter((entry): entry is Read => 'fields' in entry).map(({ fields }) => fields)
  const { kind, ctx, clinic_id } = run
  const found = rows.length === 0 ? [] : await kind.match(ctx, { ...atHand(run), clinic_id, tx, rows, lock })
  let next = 0
  return read.map((entry) => {
    if ('wrong' in entry) return entry
    const match = found[next++]!
    return 'wrong' in match
      ? { wrong: toRemark(run, entry.row, match.wrong, entry.cells) }
      : { ...entry, match }
  })
}

/** Ids are ordered by time: random ones would touch a different page of each index for every row. */
const toRow = ({ fields, match }: Matched): ImportRow =>
  ({ id: match.id ?? v7(), is_new: match.id === null, fields, match })

function readRow(run: Run, row: FileRow): Read | { wrong: Remark } {
  const { kind, columns, places } = run
  if (row.cells.length > columns.length && row.cells.slice(columns.length).some(cell => cell.trim() !== ''))
    return { wrong: toRemark(run, row, { column: '', message: WRONG.cells }) }
  const cells = cellsOf(row.cells, places, kind.columns)
  const garbled = Object.keys(cells).filter(column => cells[column]!.includes('\uFFFD'))
  const needed = garbled.find(column => !isLosable(run, column))
  if (needed !== undefined) return { wrong: toRemark(run, row, { column: needed, message: WRONG.letters }, cells) }
  const readable = Object.fromEntries(Object.entries(cells).filter(([column]) => !garbled.includes(column)))
  const answer = kind.read(readable, atHand(run))
  if ('wrong' in answer) return { wrong: toRemark(run, row, answer.wrong, cells) }
  const lost = [...garbled.map(column => ({ column, message: WRONG.letters })), ...answer.lost ?? []]
  return { row, cells, fields: answer.fields, lost, notes: answer.notes ?? [] }
}

/** Whether a row is imported without a cell that can't be read. */
const isLosable = ({ kind, options }: Run, column: string) =>
  options.on_wrong?.[column] !== 'leave_row_out' && kind.columns.some(({ name, optional }) => optional && name === column)

/**
 * A second row for the same record is wrong, both in a check and in a run. An earlier row counts under its record's
 * names before and after the change.
 */
function refuseSecond(run: Run, entry: Matched): Result {
  const { seen } = run
  const { match, row } = entry
  const ids = match.id === null ? [] : [`id ${match.id}`]
  if ([...ids, ...match.claims].some(seen.has))
    return { wrong: toRemark(run, row, { column: '', message: WRONG.twice }) }
  for (const name of [...ids, ...match.names]) seen.add(name)
  return entry
}

/** Names the field by its header in the file, if it has one. */
function toRemark(
  { columns, places }: Run,
  { line }: FileRow,
  { column, message, value }: ImportWrong & { value?: string },
  cells: Record<string, string> = {}
): Remark {
  return { line, column: headerOf(column, places, columns), message, value: shorten(value ?? cells[column] ?? '') }
}

export const addCounts = (sum: ImportTotals, more: Required<ImportTotals>): Required<ImportTotals> => ({
  new: sum.new + more.new,
  changed: sum.changed + more.changed,
  same: sum.same + more.same,
  wrong: sum.wrong + more.wrong,
  lost: (sum.lost ?? 0) + more.lost,
  notes: (sum.notes ?? 0) + more.notes,
  renamed: (sum.renamed ?? 0) + more.renamed
})
export const NO_ROWS: Required<ImportTotals> = { new: 0, changed: 0, same: 0, wrong: 0, lost: 0, notes: 0, renamed: 0 }
