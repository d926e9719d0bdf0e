import { isDeepStrictEqual } from 'node:util'
import { problem, type ImportView } from '@svc/kit'
import type { Host } from '../host.ts'
import { addBatches, dropBatches, type Batch } from './batches.ts'
import { beginRun } from './prepare-run.ts'
import { readFile } from './stored-file.ts'
import { addCounts, batchesOf, NO_ROWS, processBatch, toWrongRow } from './process-batch.ts'
import { readRecords } from './file/read-rows.ts'
import { sealRemarks } from './remarks.ts'
import { changeImport, formOf, getImport, lockOpenImport, type At, type ImportRecord } from './store.ts'
import { viewOf } from './view.ts'

interface CheckRequest extends At { signal?: AbortSignal }

/**
 * Reads the whole file as a run would, but writes no rows. Waits for the checks before it. Throws `not_found`,
 * `wrong_state` or `busy`.
 */
export async function checkImport(host: Host, { signal, ...at }: CheckRequest): Promise<ImportView> {
  const { id, clinic_id } = await host.db.transaction(tx => lockOpenImport(tx, at))
  await host.import_checks.run({ id, clinic_id, signal }, () => readAll(host, at, signal))
  return await viewOf(host, await getImport(host.db, at))
}

async function readAll(host: Host, at: At, signal: AbortSignal | undefined): Promise<void> {
  const record = await host.db.transaction(tx => lockOpenImport(tx, at))
  const run = await beginRun(host, record)
  let [counts, position] = [NO_ROWS, 0]
  const batches: Batch[] = []
  const rows = readRecords(readFile(host.db, host.secrets, record.id), formOf(record))
  for await (const batch of batchesOf(rows, 0)) {
    signal?.throwIfAborted()
    const outcome = await host.db.transaction(tx => processBatch(run, tx, batch, true), { accessMode: 'read only' })
    run.seen.takeNew()
    counts = addCounts(counts, outcome.counts)
    position += batch.length
    const remarks = sealRemarks(host.secrets, outcome)
    const wrong = outcome.wrong.map(toWrongRow)
    if (remarks !== null) batches.push({ import_id: record.id, is_check: true, position, wrong, remarks })
  }
  signal?.throwIfAborted()
  await host.db.transaction(async (tx) => {
    const now = await lockOpenImport(tx, at)
    if (!isDeepStrictEqual(readingOf(now), readingOf(record)))
      throw problem('wrong_state', { detail: 'The mapping was changed meanwhile. Check the file again.' })
    await dropBatches(tx, record.id)
    for (const batch of batches) await addBatches(tx, [batch])
    await changeImport(tx, record.id, { state: 'checked', counts })
  })
}

/** The settings that the result of a check depends on. */
const readingOf = ({ mapping, options, form, encoding }: ImportRecord) => ({ mapping, options, form, encoding })
