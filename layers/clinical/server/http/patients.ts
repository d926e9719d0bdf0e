import { etagOf, reply, type StaffRequest } from '@svc/kit'
import type { PatientRow } from '../db/patients.ts'
import { toPatient } from '../services/views.ts'

export const answer = (row: PatientRow, status = 200) =>
  reply({ status, headers: { ETag: etagOf(row.version) }, data: toPatient(row) })

export const by = ({ actor }: StaffRequest) => ({ clinic_id: actor.clinic_id, user_id: actor.user_id })

/** The actor, for the audit log. */
export const who = ({ actor, client }: StaffRequest) => ({ actor, client })
