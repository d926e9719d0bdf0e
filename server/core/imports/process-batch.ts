import { v7 } from 'uuid'
import type { Ctx, ImportCounts, ImportKind, ImportMatch, ImportRow, ImportSettings, ImportWrong, Tx } from '@svc/kit'
import { WRONG } from '@svc/kit/cells'
import { cellsOf, type Places } from './columns.ts'
import type { SeenNames } from './seen-names.ts'
import type { FileRow } from './read-rows.ts'

export const BATCH_ROWS = 500

export interface WrongRow { line: number, column: string, message: string }
export interface Outcome { counts: ImportCounts, wrong: WrongRow[] }

/** A kind with what one run needs to know. */
export interface Run {
  kind: ImportKind
  ctx: Ctx
  clinic_id: string
  user_id: string | null
  settings: ImportSettings
  columns: string[]
  places: Places
  given: unknown
  seen: SeenNames
}

/** Batches of rows, without the header and the first `skip` rows. */
export async function* batchesOf(rows: AsyncIterable<FileRow>, skip: number): AsyncGenerator<FileRow[]> {
  let [at, batch] = [-1, [] as FileRow[]]
  for await (const row of rows) {
    if (at++ < skip) continue // the header is one more
    batch.push(row)
    if (batch.length < BATCH_ROWS) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

interface Read { row: FileRow, fields: unknown }
type Matched = Read & { match: ImportMatch }
type Result = { wrong: WrongRow } | Matched

/** One batch, in the caller's transaction. A check looks and writes nothing. */
export async function processBatch(run: Run, tx: Tx, rows: FileRow[], is_check: boolean): Promise<Outcome> {
  const { kind, ctx, clinic_id, user_id, settings, given } = run
  const read = rows.map(row => readRow(run, row))
  const readable = read.filter((entry): entry is Read => 'fields' in entry)
  const found = readable.length === 0
    ? []
    : await kind.match(ctx, {
        clinic_id,
        tx,
        rows: readable.map(({ fields }) => fields),
        settings,
        given,
        lock: !is_check
      })
  let next = 0
  const results = read.map((entry): Result => {
    if ('wrong' in entry) return entry
    const match = found[next++]!
    return 'wrong' in match ? { wrong: toWrong(run, entry.row, match.wrong) } : { ...entry, match }
  }).map(entry => 'wrong' in entry ? entry : refuseSecond(run, entry))

  const kept = results.filter((entry): entry is Matched => !('wrong' in entry))
  const toWrite = kept.filter(({ match }) => match.id === null || match.changed).map(toRow)
  for (const { id, is_new } of toWrite) if (is_new) run.seen.add(`id ${id}`)
  if (!is_check && toWrite.length > 0) await kind.write(ctx, { clinic_id, user_id, tx, rows: toWrite, given })
  const wrong = results.flatMap(entry => 'wrong' in entry ? [entry.wrong] : [])
  const added = toWrite.filter(({ is_new }) => is_new).length
  return {
    counts: { new: added, changed: toWrite.length - added, same: kept.length - toWrite.length, wrong: wrong.length },
    wrong
  }
}

/** Ids in the order of time: random ones would touch a page of each index for each row. */
const toRow = ({ fields, match }: Matched): ImportRow =>
  ({ id: match.id ?? v7(), is_new: match.id === null, fields, match })

function readRow(run: Run, row: FileRow): Read | { wrong: WrongRow } {
  const { kind, settings, given, columns, places } = run
  if (row.cells.length > columns.length && row.cells.slice(columns.length).some(cell => cell.trim() !== ''))
    return { wrong: toWrong(run, row, { column: '', message: WRONG.cells }) }
  const answer = kind.read(cellsOf(row.cells, places), { settings, given })
  return 'wrong' in answer ? { wrong: toWrong(run, row, answer.wrong) } : { row, ...answer }
}

/**
 * A second row for one record is wrong, in a check as in a run. An earlier row counts under the names of its record
 * before and after its change.
 */
function refuseSecond(run: Run, entry: Matched): Result {
  const { seen } = run
  const { match, row } = entry
  const ids = match.id === null ? [] : [`id ${match.id}`]
  if ([...ids, ...match.claims].some(seen.has))
    return { wrong: toWrong(run, row, { column: '', message: WRONG.twice }) }
  for (const name of [...ids, ...match.names]) seen.add(name)
  return entry
}

/** Where the file has the field, its own header. */
function toWrong({ columns, places }: Run, { line }: FileRow, { column, message }: ImportWrong): WrongRow {
  return { line, column: columns[places[column] ?? -1] ?? column, message }
}

export const addCounts = (sum: ImportCounts, more: ImportCounts): ImportCounts => ({
  new: sum.new + more.new,
  changed: sum.changed + more.changed,
  same: sum.same + more.same,
  wrong: sum.wrong + more.wrong
})
export const NO_ROWS: ImportCounts = { new: 0, changed: 0, same: 0, wrong: 0 }
