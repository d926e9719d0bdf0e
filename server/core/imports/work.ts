import { eq, sql } from 'drizzle-orm'
import { isProblem, type Tx } from '@svc/kit'
import { coreImport } from '../db/schema.ts'
import type { Host } from '../host.ts'
import { addBatches, restoreNames } from './batches.ts'
import { beginRun } from './begin.ts'
import { dropFile, readFile } from './files.ts'
import { inBatch } from './in-batch.ts'
import { addCounts, batchesOf, NO_ROWS, processBatch, type Run } from './process.ts'
import { readRows, type FileRow, type Form } from './read-rows.ts'
import { changeImport, openHead, sealHead, type ImportRecord } from './store.ts'

export const IMPORT_JOB = 'import'

/** Pauses grow from a second: two minutes in all, longer than a database takes to restart. */
const ATTEMPTS = 8

/**
 * The job. It continues behind the last batch that was committed, whoever did that. What a problem says ends the import
 * as failed, with what is written; anything else is tried again a few times before, so that the clinic's next import,
 * and an erasure, need not wait for ever. A process that is killed has used no attempt.
 */
export async function workOnImport(host: Host, payload: unknown, { attempt }: { attempt: number }): Promise<void> {
  const { import_id } = payload as { import_id: string }
  const [record] = await host.db.select().from(coreImport).where(eq(coreImport.id, import_id))
  if (!record || record.state !== 'running') return
  try {
    await writeRows(host, record)
    await end(host, record, null)
  } catch (error) {
    const reason = isProblem(error) ? error.code : 'internal_error'
    if (!isProblem(error) && attempt < ATTEMPTS) throw error
    host.log.warn('import.failed', { import: import_id, problem: reason, error })
    await end(host, record, reason)
  }
}

async function writeRows(host: Host, record: ImportRecord): Promise<void> {
  const run = await beginRun(host, record)
  await restoreNames(host.db, record.id, run.seen)
  const rows = readRows(readFile(host.db, host.secrets, record.id), record as Form)
  let done = record.done
  for await (const batch of batchesOf(rows, done)) {
    await inBatch(host, run, tx => writeBatch(tx, run, record, { done, batch }))
    done += batch.length
  }
}

interface Next { done: number, batch: FileRow[] }

/** Progress commits with what it is the progress of. */
async function writeBatch(tx: Tx, run: Run, { id }: ImportRecord, { done, batch }: Next): Promise<void> {
  const [now] = await tx.select().from(coreImport).where(eq(coreImport.id, id)).for('update')
  if (now?.state !== 'running' || now.done !== done) throw new Error('another process works on this import')
  const { counts, wrong } = await processBatch(run, tx, batch, false)
  const position = done + batch.length
  await addBatches(tx, [{ import_id: id, is_check: false, position, names: run.seen.takeNew(), wrong }])
  await changeImport(tx, id, { done: position, counts: addCounts(now.counts ?? NO_ROWS, counts) })
}

/** The file and its first rows go: what they say of people is in the records now. */
async function end(host: Host, record: ImportRecord, reason: string | null): Promise<void> {
  const head = sealHead(host.secrets, { ...openHead(host.secrets, record), preview: [] })
  await host.db.transaction(async (tx) => {
    await dropFile(tx, record.id)
    await tx.update(coreImport)
      .set({ state: reason === null ? 'done' : 'failed', reason, head, finished_at: sql`now()` })
      .where(eq(coreImport.id, record.id))
    await tx.execute(sql`update core_import_batch set names = null where import_id = ${record.id}::uuid`)
  })
}
