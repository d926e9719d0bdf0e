import type { Ctx } from '@svc/kit'
import { putByExternalId } from '@svc/kit/external-ids'
import type { TreatmentRequest } from '../../shared/contract.ts'
import { treatmentIds } from '../db/external-ids.ts'
import { changeTreatment, type Who } from './change-treatment.ts'
import { createTreatment, type Versioned } from './create-treatment.ts'

interface Input {
  clinic_id: string
  user_id: string | null
  params: { system?: string, id?: string }
  if_match: string | undefined
  body: TreatmentRequest
  /** For the audit log. */ who: Who
}

/** Throws what adding and changing one throw. */
export async function putTreatment(
  ctx: Ctx,
  { params, if_match, body, who, ...by }: Input
): Promise<{ is_new: boolean, record: Versioned }> {
  const key = { clinic_id: by.clinic_id, system: params.system!, external_id: params.id! }
  return await putByExternalId({
    params,
    body,
    find: () => treatmentIds(ctx).find(ctx.db, key),
    create: named => createTreatment(ctx, { ...named, ...by }),
    change: (id, change) => changeTreatment(ctx, { ...by, who, id, if_match, change })
  })
}
