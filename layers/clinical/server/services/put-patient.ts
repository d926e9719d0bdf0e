import type { Ctx } from '@svc/kit'
import { putByExternalId } from '@svc/kit/external-ids'
import type { PatientRequest } from '../../shared/contract.ts'
import { patientIds } from '../db/external-ids.ts'
import type { PatientRow } from '../db/patients.ts'
import { changePatient, type Who } from './change-patient.ts'
import { createPatient } from './create-patient.ts'

interface Input {
  clinic_id: string
  user_id: string
  params: { system?: string, id?: string }
  if_match: string | undefined
  body: PatientRequest
  /** For the audit log. */ who: Who
}

/** Throws the problems of creating and changing a patient. */
export async function putPatient(
  ctx: Ctx,
  { params, if_match, body, who, ...by }: Input
): Promise<{ is_new: boolean, record: PatientRow }> {
  const key = { clinic_id: by.clinic_id, system: params.system!, external_id: params.id! }
  return await putByExternalId({
    params,
    body,
    find: () => patientIds(ctx).find(ctx.db, key),
    create: named => createPatient(ctx, { ...named, ...by }),
    change: (id, change) => changePatient(ctx, { ...by, who, id, if_match, change })
  })
}
