import { etagOf, reply, type StaffRequest } from '@svc/kit'
import type { Detail } from '../services/get-invoice.ts'

export const at = ({ actor, params }: StaffRequest) => ({ clinic_id: actor.clinic_id, id: params.id! })

/** The budget in the path. */
export const budgetAt = ({ actor, params }: StaffRequest) => ({ clinic_id: actor.clinic_id, budget_id: params.id! })

export const by = (request: StaffRequest) => ({ ...at(request), user_id: request.actor.user_id })

export const ifMatch = ({ headers }: StaffRequest) => ({ if_match: headers['if-match'] })

export const answer = ({ invoice, edit }: Detail, status = 200) =>
  reply({ status, headers: { ETag: etagOf(edit) }, data: invoice })
