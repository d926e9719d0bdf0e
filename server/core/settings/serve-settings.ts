import { etagOf, reply, type Actor, type Reply, type Tx } from '@svc/kit'
import type { ModuleSettings, SettingValues } from '../../../shared/settings.ts'
import type { Host } from '../host.ts'
import { requirePermission } from '../http/authorize.ts'
import type { CoreRequest } from '../http/types.ts'
import { changeSettings } from './change-settings.ts'
import { declaredIn, getDeclared, type Declared } from './declaration.ts'
import { describeFields } from './describe-fields.ts'
import { openValues } from './open-values.ts'
import { readStored } from './stored-settings.ts'
import { shown, type Values } from './values.ts'

/** Of the modules whose settings the caller may change. */
export const listSettings = ({ registry }: Host, actor: Actor): ModuleSettings[] =>
  declaredIn(registry)
    .filter(({ permission }) => actor.permissions.has(permission))
    .map(declared => ({ module: declared.module, permission: declared.permission, fields: describeFields(declared) }))

/** Throws `not_found`, `permission_denied` or `module_errored`. */
export async function sendSettings(host: Host, request: CoreRequest): Promise<Reply> {
  const at = getAllowed(host, request)
  return await host.db.transaction(tx => answer(host, tx, at))
}

/** Throws the same, and `precondition_failed`, `validation_failed`, `currency_locked` or `setting_vetoed`. */
export async function receiveSettings(host: Host, request: CoreRequest, change: Values): Promise<Reply> {
  const at = getAllowed(host, request)
  const { actor, client, headers } = request
  return await host.db.transaction(async (tx) => {
    await changeSettings(host, tx, { ...at, change, if_match: headers['if-match'], who: { actor, client } })
    return await answer(host, tx, at)
  })
}

/** A module's settings in the caller's clinic. */
interface Owned { declared: Declared, clinic_id: string }

/** Which permission is needed depends on the module, so the endpoint can't name it. */
function getAllowed({ registry }: Host, { actor, params }: CoreRequest): Owned {
  const declared = getDeclared(registry, params.module!)
  requirePermission(actor, declared.permission)
  return { declared, clinic_id: actor.clinic_id }
}

async function answer(host: Host, tx: Tx, { declared, clinic_id }: Owned) {
  const stored = await readStored(tx, { clinic_id, module: declared.module })
  const values = openValues(host, declared, clinic_id, stored)
  const data: SettingValues = shown(declared, values, name => Object.hasOwn(stored.secrets, name))
  return reply({ data, headers: { etag: etagOf(stored.version) } })
}
