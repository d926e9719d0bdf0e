import { etagOf, reply, type StaffRequest } from '@svc/kit'
import type { AdvanceDetail } from '../services/advances/get-advance.ts'

/** For the audit log. */
export const who = ({ actor, client }: StaffRequest) => ({ who: { actor, client } })

export const answerAdvance = ({ advance, edit }: AdvanceDetail, status = 200) =>
  reply({ status, headers: { ETag: etagOf(edit) }, data: advance })
