import type { Actor, Client, ImportView } from '@svc/kit'
import { recordAudit } from '../audit/record-audit.ts'
import { CORE } from '../events/handlers.ts'
import type { Host } from '../host.ts'
import { dropBatches } from './batches.ts'
import { NO_ROWS } from './process.ts'
import { changeImport, getImport, lockOpenImport, viewOf, type At } from './store.ts'
import { IMPORT_JOB } from './work.ts'

/** Jobs of one clinic and kind come one after the other. Throws `not_found`, `wrong_state`. */
export async function runImport(host: Host, at: At & { actor: Actor, client: Client }): Promise<ImportView> {
  await host.db.transaction(async (tx) => {
    const { id, rows } = await lockOpenImport(tx, at)
    await dropBatches(tx, id)
    await changeImport(tx, id, { state: 'running', user_id: at.actor.user_id, done: 0, counts: NO_ROWS })
    const key = `import:${at.clinic_id}:${at.module}:${at.kind}`
    await host.jobs(CORE).add(tx, IMPORT_JOB, { import_id: id }, { key })
    const { clinic_id, actor, client } = at
    await recordAudit(host, tx, {
      clinic_id,
      actor,
      client,
      action: 'import_run',
      target: { kind: at.kind, id },
      detail: { rows }
    })
  })
  return await viewOf(host, await getImport(host.db, at))
}
