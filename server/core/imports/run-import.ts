import type { Actor, Client, ImportView } from '@svc/kit'
import { recordAudit } from '../audit/record-audit.ts'
import type { Host } from '../host.ts'
import { dropBatches } from './batches.ts'
import { lockImports } from './lock.ts'
import { NO_ROWS } from './process-batch.ts'
import { changeImport, getImport, lockOpenImport, type At } from './store.ts'
import { viewOf } from './view.ts'
import { queueImport } from './import-job.ts'

/** Throws `not_found`, `wrong_state`. */
export async function runImport(host: Host, at: At & { actor: Actor, client: Client }): Promise<ImportView> {
  await host.db.transaction(async (tx) => {
    await lockImports(tx, at.clinic_id)
    const { id, rows } = await lockOpenImport(tx, at)
    await dropBatches(tx, id)
    await changeImport(tx, id, { state: 'running', user_id: at.actor.user_id, done: 0, counts: NO_ROWS })
    await queueImport(host, tx, id)
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
