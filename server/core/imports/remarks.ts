import type { Db, ImportRemarks, ImportView } from '@svc/kit'
import { and, asc, eq } from 'drizzle-orm'
import { coreImportBatch } from '../db/schema.ts'
import type { Host } from '../host.ts'
import type { Secrets } from '../secrets.ts'
import type { Outcome, WrongRow } from './process-batch.ts'
import { isOpen, type ImportRecord } from './store.ts'

/** A remark on a row, with the value of its cell. */
export interface Remark extends WrongRow { value: string }
export interface Renamed { line: number, from: string, to: string }
/** `wrong`: values of the wrong rows, in the same order. */
export interface Remarks { wrong: string[], lost: Remark[], notes: Remark[], renamed: Renamed[] }

const PURPOSE = 'import-remarks'
const MAX_VALUE_LENGTH = 200
const FIRST = 50

export const shorten = (value: string) => [...value.slice(0, MAX_VALUE_LENGTH * 2)].slice(0, MAX_VALUE_LENGTH).join('')

/** Remarks contain people's data, so they are sealed like the file. Null: there are no remarks. */
export function sealRemarks(secrets: Secrets, { wrong, lost, notes, renamed }: Outcome): string | null {
  if (wrong.length + lost.length + notes.length + renamed.length === 0) return null
  const remarks: Remarks = { wrong: wrong.map(({ value }) => value), lost, notes, renamed }
  return secrets.seal(PURPOSE, JSON.stringify(remarks))
}

const open = (secrets: Secrets, sealed: string | null): Remarks =>
  sealed === null
    ? { wrong: [], lost: [], notes: [], renamed: [] }
    : JSON.parse(Buffer.from(secrets.open(PURPOSE, sealed)).toString()) as Remarks

/** Batch by batch, from the run if it has begun, otherwise from the check. */
export async function* readOutcomes(host: Host, record: ImportRecord): AsyncGenerator<Remarks & { rows: WrongRow[] }> {
  for (const position of await positionsOf(host.db, record)) {
    const [batch] = await host.db
      .select({ wrong: coreImportBatch.wrong, remarks: coreImportBatch.remarks })
      .from(coreImportBatch)
      .where(and(ofRecord(record), eq(coreImportBatch.position, position)))
    if (batch) yield { ...open(host.secrets, batch.remarks), rows: batch.wrong }
  }
}

const ofRecord = (record: ImportRecord) =>
  and(eq(coreImportBatch.import_id, record.id), eq(coreImportBatch.is_check, isOpen(record)))

async function positionsOf(db: Db, record: ImportRecord): Promise<number[]> {
  const rows = await db
    .select({ position: coreImportBatch.position })
    .from(coreImportBatch)
    .where(ofRecord(record))
    .orderBy(asc(coreImportBatch.position))
  return rows.map(({ position }) => position)
}

type ShownRemarks = Pick<ImportView, 'errors' | 'lost' | 'notes' | 'renamed'>

/** The first remarks of each kind, and how many there are. */
export async function findFirst(host: Host, record: ImportRecord): Promise<ShownRemarks> {
  const { wrong = 0, lost = 0, notes = 0, renamed = 0 } = record.counts ?? {}
  const said: ShownRemarks = {
    errors: [],
    lost: { total: lost, first: [] },
    notes: { total: notes, first: [] },
    renamed: { total: renamed, first: [] }
  }
  if (wrong + lost + notes + renamed === 0) return said
  for await (const batch of readOutcomes(host, record)) {
    addFirst(said.errors, batch.rows)
    addFirst(said.lost.first, batch.lost)
    addFirst(said.notes.first, batch.notes)
    addFirst(said.renamed.first, batch.renamed)
    const isFull = (first: unknown[], total: number) => first.length >= Math.min(FIRST, total)
    const remarks: ImportRemarks[] = [said.lost, said.notes]
    if (isFull(said.errors, wrong) && isFull(said.renamed.first, renamed)
      && remarks.every(({ first, total }) => isFull(first, total))) break
  }
  return said
}

const addFirst = <T>(first: T[], more: T[]) => void first.push(...more.slice(0, FIRST - first.length))
