import { isProblem, type Access, type ModuleRequest } from '@svc/kit'
import type { Host } from '../host.ts'
import { toAuditActor } from './record-audit.ts'

interface Denied { request: ModuleRequest, error: unknown, route: string, access: Access }

/** Records a request of a member, or of a clinic's token, that was refused with 403. Unknown callers leave no rows. */
export function recordDenied({ audit }: Pick<Host, 'audit'>, { request, error, route, access }: Denied): void {
  const { actor, client } = request
  if (!actor?.clinic_id) return
  const clinic_id = actor.clinic_id
  const detail = {
    code: isProblem(error) ? error.code : 'permission_denied',
    permission: typeof access === 'object' ? access.permission : access === 'admin-token' ? 'modules.manage' : null
  }
  audit.record({ action: 'denied', actor_id: toAuditActor(actor).id, clinic_id }, async () => [
    { clinic_id, actor, action: 'denied', target: { kind: 'endpoint', id: route }, detail, client }
  ])
}
