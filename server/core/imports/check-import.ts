import { isDeepStrictEqual } from 'node:util'
import { problem, type ImportView } from '@svc/kit'
import type { Host } from '../host.ts'
import { addBatches, dropBatches, type Batch } from './batches.ts'
import { beginRun } from './prepare-run.ts'
import { readFile } from './stored-file.ts'
import { addCounts, batchesOf, NO_ROWS, processBatch } from './process-batch.ts'
import { readRows, type Form } from './read-rows.ts'
import { changeImport, getImport, lockOpenImport, viewOf, type At } from './store.ts'

/** Reads the whole file as a run would, and writes nothing of it. Throws `not_found`, `wrong_state`. */
export async function checkImport(host: Host, at: At): Promise<ImportView> {
  const record = await host.db.transaction(tx => lockOpenImport(tx, at))
  const run = await beginRun(host, record)
  let [counts, position] = [NO_ROWS, 0]
  const batches: Batch[] = []
  const rows = readRows(readFile(host.db, host.secrets, record.id), record as Form)
  for await (const batch of batchesOf(rows, 0)) {
    const { counts: more, wrong } = await host.db.transaction(tx => processBatch(run, tx, batch, true), {
      accessMode: 'read only'
    })
    counts = addCounts(counts, more)
    position += batch.length
    if (wrong.length > 0) batches.push({ import_id: record.id, is_check: true, position, wrong })
  }
  await host.db.transaction(async (tx) => {
    const { mapping } = await lockOpenImport(tx, at)
    if (!isDeepStrictEqual(mapping, record.mapping))
      throw problem('wrong_state', { detail: 'The mapping was changed meanwhile. Check the file again.' })
    await dropBatches(tx, record.id)
    for (const batch of batches) await addBatches(tx, [batch])
    await changeImport(tx, record.id, { state: 'checked', counts })
  })
  return await viewOf(host, await getImport(host.db, at))
}
