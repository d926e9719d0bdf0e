import type { ImportView } from '@svc/kit'
import type { Host } from '../host.ts'
import { dropBatches } from './batches.ts'
import { placesOf } from './columns.ts'
import { getKind } from './kinds.ts'
import { changeImport, getImport, lockOpenImport, openHead, viewOf, type At } from './store.ts'

/** What an earlier check found is of the earlier mapping. Throws `not_found`, `wrong_state`, `validation_failed`. */
export async function mapImport(host: Host, at: At & { mapping: Record<string, string> }): Promise<ImportView> {
  const { columns: fields } = getKind(host.registry, at.module, at.kind)
  await host.db.transaction(async (tx) => {
    const record = await lockOpenImport(tx, at)
    const mapping = placesOf(at.mapping, openHead(host.secrets, record).columns, fields)
    await dropBatches(tx, record.id)
    await changeImport(tx, record.id, { mapping, state: 'uploaded', counts: null })
  })
  return await viewOf(host, await getImport(host.db, at))
}
