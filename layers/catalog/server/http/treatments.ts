import { etagOf, reply, type StaffRequest } from '@svc/kit'
import type { Versioned } from '../services/create-treatment.ts'

export const answer = ({ version, treatment }: Versioned, status = 200) =>
  reply({ status, headers: { ETag: etagOf(version) }, data: treatment })

export const by = ({ actor }: StaffRequest) => ({ clinic_id: actor.clinic_id, user_id: actor.user_id })

/** Who changes a record, for the audit log. */
export const who = ({ actor, client }: StaffRequest) => ({ actor, client })
