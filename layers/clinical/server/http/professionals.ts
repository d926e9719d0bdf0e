import { etagOf, reply, type StaffRequest } from '@svc/kit'
import type { ProfessionalRow } from '../db/professionals.ts'
import { toProfessional } from '../services/views.ts'

export const answer = (row: ProfessionalRow, status = 200) =>
  reply({ status, headers: { ETag: etagOf(row.version) }, data: toProfessional(row) })

export const by = ({ actor }: StaffRequest) => ({ clinic_id: actor.clinic_id, user_id: actor.user_id })
