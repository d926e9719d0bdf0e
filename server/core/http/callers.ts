import type { ModuleRequest, StaffRequest } from '@svc/kit'
import type { CoreActor } from '../auth/find-actor.ts'
import { userOf } from '../auth/me.ts'

/** Of an endpoint with `access: 'session'`. */
export const actorOf = (request: ModuleRequest) => request.actor as CoreActor

/** The same as a person. Throws for a token. */
export const personOf = (request: ModuleRequest) => ({
  user_id: userOf(actorOf(request)),
  clinic_id: actorOf(request).clinic_id
})

/** Who calls, for the audit log. */
export const whoOf = ({ actor, client }: ModuleRequest) => ({ actor: actor!, client })

/** Of an endpoint that needs a permission. */
export const clinicOf = (request: StaffRequest) => request.actor.clinic_id

/** What the path names, in the caller's clinic. */
export const idOf = ({ actor, params }: StaffRequest) => ({ clinic_id: actor.clinic_id, id: params.id! })
