import type { Ctx } from '@svc/kit'
import { putByExternalId } from '@svc/kit/external-ids'
import type { ProfessionalRequest } from '../../shared/contract.ts'
import { professionalIds } from '../db/external-ids.ts'
import type { ProfessionalRow } from '../db/professionals.ts'
import { changeProfessional } from './change-professional.ts'
import { createProfessional } from './create-professional.ts'

interface Input {
  clinic_id: string
  user_id: string
  params: { system?: string, id?: string }
  if_match: string | undefined
  body: ProfessionalRequest
}

/** Throws the problems of creating and changing a clinician. */
export async function putProfessional(
  ctx: Ctx,
  { params, if_match, body, ...by }: Input
): Promise<{ is_new: boolean, record: ProfessionalRow }> {
  const key = { clinic_id: by.clinic_id, system: params.system!, external_id: params.id! }
  return await putByExternalId({
    params,
    body,
    find: () => professionalIds(ctx).find(ctx.db, key),
    create: named => createProfessional(ctx, { ...named, ...by }),
    change: (id, change) => changeProfessional(ctx, { ...by, id, if_match, change })
  })
}
