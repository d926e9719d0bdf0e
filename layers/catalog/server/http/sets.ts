import { etagOf, reply, type StaffRequest } from '@svc/kit'
import type { VersionedSet } from '../services/sets/view-sets.ts'

export const answerSet = ({ version, set }: VersionedSet, status = 200) =>
  reply({ status, headers: { ETag: etagOf(version) }, data: set })

/** The set that the address names, as the caller read it. */
export const setAt = ({ actor, params, headers }: StaffRequest) =>
  ({ clinic_id: actor.clinic_id, id: params.id!, if_match: headers['if-match'] })
