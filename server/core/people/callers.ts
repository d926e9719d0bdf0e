import type { ModuleRequest, StaffRequest } from '@svc/kit'
import type { Sender } from './factors/second-step.ts'
import type { AccountOwner } from './factors/record-factor.ts'
import type { CoreRequest } from '../http/types.ts'
import { userOf } from './accounts/me.ts'

/** The actor of an endpoint with `access: 'session'`. */
export const actorOf = ({ actor }: CoreRequest) => actor

/** Like `actorOf`, for a person. Throws for a token. */
export const personOf = (request: CoreRequest) => ({
  user_id: userOf(actorOf(request)),
  clinic_id: actorOf(request).clinic_id
})

/** The caller, for the audit log. */
export const whoOf = ({ actor, client }: CoreRequest) => ({ actor, client })

/** The clinic of an endpoint that needs a permission. */
export const clinicOf = (request: StaffRequest) => request.actor.clinic_id

/** Identifies the record that the path names, in the caller's clinic. */
export const idOf = ({ actor, params }: StaffRequest) => ({ clinic_id: actor.clinic_id, id: params.id! })

/** The person who changes their own account, and where the request comes from. */
export const accountOwnerOf = (request: CoreRequest): AccountOwner =>
  ({ actor: actorOf(request), client: request.client })

/** The key of a limit per person. */
export const byPerson = (request: ModuleRequest): string => request.actor?.user_id ?? 'token'

/** What a sign-in needs of a request. A browser always sends where the request comes from. */
export const senderOf = ({ client, cookies, headers }: ModuleRequest): Sender => ({
  client,
  cookies,
  is_browser: headers.origin !== undefined || headers['sec-fetch-site'] !== undefined
})
