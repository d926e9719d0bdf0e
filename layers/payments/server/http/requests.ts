import type { StaffRequest } from '@svc/kit'

export const at = ({ actor, params }: StaffRequest) => ({ clinic_id: actor.clinic_id, id: params.id! })

/** With the member, for the row and for the audit log. */
export const by = (request: StaffRequest) => ({
  ...at(request),
  user_id: request.actor.user_id,
  who: { actor: request.actor, client: request.client }
})
