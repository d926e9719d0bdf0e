import { etagOf, reply, type StaffRequest } from '@svc/kit'
import type { VersionedTemplate } from '../services/templates/view-template.ts'

export const answerTemplate = ({ edit, template }: VersionedTemplate, status = 200) =>
  reply({ status, headers: { ETag: etagOf(edit) }, data: template })

/** The template in the path, and the version that the caller has read. */
export const templateAt = ({ actor, params, headers }: StaffRequest) =>
  ({ clinic_id: actor.clinic_id, id: params.id!, if_match: headers['if-match'] })
