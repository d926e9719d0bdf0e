import type { StaffRequest } from '@svc/kit'

/** Reasons why staff cannot record a decision. */
export const undecidableInClinic = [
  'content_tampered',
  'wrong_state',
  'already_decided',
  'budget_expired',
  'budget_superseded',
  'budget_cancelled'
]

/** The same for an acceptance. */
export const unacceptableInClinic = [...undecidableInClinic, 'content_changed', 'selection_incomplete']

/** The budget in the path, in the caller's clinic. */
export const at = ({ actor, params }: StaffRequest) => ({ clinic_id: actor.clinic_id, id: params.id! })

/** The same, and the user who changes it. */
export const by = (request: StaffRequest) => ({
  ...at(request),
  user_id: request.actor.user_id,
  client: request.client
})

/** A decision in the clinic, with the caller as its witness. */
export const witness = ({ actor, params, client }: StaffRequest) => ({
  by: { via: 'in_clinic' as const, clinic_id: actor.clinic_id, budget_id: params.id!, witness_id: actor.user_id },
  client
})
