import type { ModuleRequest, StaffRequest } from '@svc/kit'
import type { Sender } from '../auth/factors/second-step.ts'
import type { Doer } from '../auth/factors/record-factor.ts'
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

/** Who asks for something of their own account, and from where. */
export const doerOf = (request: ModuleRequest): Doer => ({ actor: actorOf(request), client: request.client })

/** Limits what one person asks for. */
export const byPerson = (request: ModuleRequest): string => request.actor?.user_id ?? 'token'

/** What a sign-in knows of a request: a browser always says where it comes from. */
export const senderOf = ({ client, cookies, headers }: ModuleRequest): Sender => ({
  client,
  cookies,
  is_browser: headers.origin !== undefined || headers['sec-fetch-site'] !== undefined
})
