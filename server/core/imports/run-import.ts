import type { ImportView } from '@svc/kit'
import { CORE } from '../events/handlers.ts'
import type { Host } from '../host.ts'
import { dropBatches } from './batches.ts'
import { NO_ROWS } from './process.ts'
import { changeImport, getImport, lockOpenImport, viewOf, type At } from './store.ts'
import { IMPORT_JOB } from './work.ts'

/** Jobs of one clinic and kind come one after the other. Throws `not_found`, `wrong_state`. */
export async function runImport(host: Host, at: At & { user_id: string | null }): Promise<ImportView> {
  await host.db.transaction(async (tx) => {
    const { id } = await lockOpenImport(tx, at)
    await dropBatches(tx, id)
    await changeImport(tx, id, { state: 'running', user_id: at.user_id, done: 0, counts: NO_ROWS })
    const key = `import:${at.clinic_id}:${at.module}:${at.kind}`
    await host.jobs(CORE).add(tx, IMPORT_JOB, { import_id: id }, { key })
  })
  return await viewOf(host, await getImport(host.db, at))
}
