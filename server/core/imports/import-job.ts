import { and, eq, sql } from 'drizzle-orm'
import { isProblem, type Tx } from '@svc/kit'
import { coreImport } from '../db/schema.ts'
import { CORE } from '../core-module.ts'
import type { Host } from '../host.ts'
import { addBatches, restoreNames } from './batches.ts'
import { beginRun } from './prepare-run.ts'
import { dropFile, readFile } from './stored-file.ts'
import { inBatch } from './batch-transaction.ts'
import { addCounts, batchesOf, NO_ROWS, processBatch, toWrongRow, type Run } from './process-batch.ts'
import { readRecords, type FileRow } from './file/read-rows.ts'
import { sealRemarks } from './remarks.ts'
import { changeImport, formOf, openHead, sealHead, type ImportRecord } from './store.ts'

export const IMPORT_JOB = 'import'

/** One file at a time in the whole instance, because the other workers are needed for signed PDFs and mails. */
export const queueImport = (host: Host, tx: Tx, import_id: string): Promise<void> =>
  host.jobs(CORE).add(tx, IMPORT_JOB, { import_id }, { key: 'imports' })

/**
 * An import is marked as failed after this many attempts without a written batch, so that a file that always fails, or
 * ends the process, does not block the others.
 */
const MAX_ATTEMPTS = 5
/** After this many batches, a large file is queued behind waiting imports. */
const TURN = 10

/**
 * The job. It continues after the last batch that any process has committed. A problem ends the import as failed, and
 * the written rows remain. After any other error the import is queued behind the waiting ones. If the database is down,
 * that fails too, and the delivery is retried later.
 */
export async function workOnImport(host: Host, payload: unknown): Promise<void> {
  const record = await startTry(host, (payload as { import_id: string }).import_id)
  if (!record) return
  try {
    if (record.tries > MAX_ATTEMPTS) throw new Error('tried again and again without progress')
    if (await writeRows(host, record)) await end(host, record, null)
    else await host.db.transaction(tx => queueImport(host, tx, record.id))
  } catch (error) {
    const isOver = isProblem(error) || record.tries >= MAX_ATTEMPTS
    host.log.warn('import.failed', { import: record.id, try: record.tries, is_over: isOver, error })
    if (isOver) await end(host, record, isProblem(error) ? error.code : 'internal_error')
    else await host.db.transaction(tx => queueImport(host, tx, record.id))
  }
}

async function startTry(host: Host, id: string): Promise<ImportRecord | undefined> {
  const [record] = await host.db
    .update(coreImport)
    .set({ tries: sql`${coreImport.tries} + 1` })
    .where(and(eq(coreImport.id, id), eq(coreImport.state, 'running')))
    .returning()
  return record
}

/** False: another import is waiting, and this one continues after it. */
async function writeRows(host: Host, record: ImportRecord): Promise<boolean> {
  const run = await beginRun(host, record)
  await restoreNames(host.db, record.id, run.seen)
  const rows = readRecords(readFile(host.db, host.secrets, record.id), formOf(record))
  let [done, turn] = [record.done, 0]
  for await (const batch of batchesOf(rows, done)) {
    await inBatch(host, run, tx => writeBatch(host, tx, run, { id: record.id, done, batch }))
    done += batch.length
    if (++turn % TURN === 0 && done < record.rows && await isAnotherWaiting(host, record.id)) return false
  }
  return true
}

async function isAnotherWaiting({ db }: Host, id: string): Promise<boolean> {
  const waiting = await db.execute(sql`select 1 from core_import where state = 'running' and id <> ${id}::uuid limit 1`)
  return waiting.length > 0
}

interface Next { id: string, done: number, batch: FileRow[] }

/** Commits the progress together with the rows. */
async function writeBatch(host: Host, tx: Tx, run: Run, { id, done, batch }: Next): Promise<void> {
  const [now] = await tx.select().from(coreImport).where(eq(coreImport.id, id)).for('update')
  if (now?.state !== 'running' || now.done !== done) throw new Error('another process works on this import')
  const outcome = await processBatch(run, tx, batch, false)
  const position = done + batch.length
  await addBatches(tx, [{
    import_id: id,
    is_check: false,
    position,
    names: run.seen.takeNew(),
    wrong: outcome.wrong.map(toWrongRow),
    remarks: sealRemarks(host.secrets, outcome)
  }])
  await changeImport(tx, id, { done: position, tries: 0, counts: addCounts(now.counts ?? NO_ROWS, outcome.counts) })
}

/** Deletes the file and its first rows: the personal data in them is in the records now. */
async function end(host: Host, record: ImportRecord, reason: string | null): Promise<void> {
  const head = sealHead(host.secrets, { ...openHead(host.secrets, record), preview: [], samples: [], first_lines: [] })
  await host.db.transaction(async (tx) => {
    await dropFile(tx, record.id)
    await tx.update(coreImport)
      .set({ state: reason === null ? 'done' : 'failed', reason, head, finished_at: sql`now()` })
      .where(eq(coreImport.id, record.id))
    await tx.execute(sql`update core_import_batch set names = null where import_id = ${record.id}::uuid`)
  })
}
