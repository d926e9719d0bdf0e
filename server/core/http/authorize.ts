import { problem, type Actor, type Ctx, type StaffRequest } from '@svc/kit'
import { METRICS_READ } from '../permissions.ts'
import type { Authorize, CoreActor, FindActor, Mount } from './types.ts'

const denied = (permission: string) => problem('permission_denied', { detail: `Permission denied: ${permission}` })

/** Throws `permission_denied` unless the caller is a member of a clinic who has it there. */
export function requirePermission(actor: Actor, permission: string): asserts actor is StaffRequest['actor'] {
  if (!actor.user_id || !actor.clinic_id || !actor.permissions.has(permission)) throw denied(permission)
}

const TOKEN_OF_OVERDUE = 'The person who made this token has to add a second factor, which the clinic requires.'

/**
 * Throws `second_factor_required` or `factor_review_required`. The person can then open only the page about their
 * factors.
 */
function checkFactors({ factor_due, factors_to_review, via }: CoreActor): void {
  if (factor_due?.overdue)
    throw problem('second_factor_required', via === 'token' ? { detail: TOKEN_OF_OVERDUE } : {})
  if (factors_to_review) throw problem('factor_review_required')
}

/**
 * Decides who may call the endpoint; null if everyone may. Roles and permissions are read with each request, so that
 * removing one takes effect at once.
 */
export function createAuthorize(
  { endpoint, ctx, named }: Pick<Mount, 'endpoint' | 'ctx' | 'named'>,
  findActor: FindActor
): Authorize | null {
  const { access, takes_metrics_token = false, before_factor = false } = endpoint
  // What an account may do without a clinic, such as setting a new password, needs a person: no token may do it.
  const people_only = endpoint.people_only || (access === 'session' && !ctx && !endpoint.takes_clinic_token)
  if (access === 'none') return null
  if (named) {
    return async (request) => {
      request.session = await named.authorize(request)
    }
  }
  if (typeof access === 'function') {
    return async (request) => {
      request.session = await access(request, ctx as Ctx)
    }
  }
  return async (request) => {
    const actor = await findActor(request)
    if (!actor) throw problem('unauthorized')
    request.actor = actor
    if (actor.token_id && actor.clinic_id) {
      request.client.token_id = actor.token_id
      if (people_only) throw problem('permission_denied', { detail: 'Only a person can do this, not a token.' })
    }
    if (!before_factor) checkFactors(actor as CoreActor)
    if (actor.permissions.has(METRICS_READ)) {
      if (!takes_metrics_token)
        throw problem('permission_denied', { detail: 'This token can only read /metrics.' })
      return
    }
    if (access === 'admin-token') {
      if (!actor.instance_admin) throw denied('modules.manage')
      return
    }
    if (typeof access === 'object') {
      requirePermission(actor, access.permission)
      return
    }
    // A token, or an administrator who has chosen no clinic, has a session but may not see a module's data.
    if (ctx && (!actor.user_id || !actor.clinic_id))
      throw problem('permission_denied', { detail: 'Only members of a clinic can do this.' })
  }
}
