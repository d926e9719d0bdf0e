import type { Ctx } from '@svc/kit'
import type { ProfessionalRequest } from '../../shared/contract.ts'
import { professionalIds } from '../db/external-ids.ts'
import { insertProfessional, type ProfessionalRow } from '../db/professionals.ts'

/** Throws `external_id_taken`. */
export async function createProfessional(
  ctx: Ctx,
  { user_id, external_ids, ...fields }: ProfessionalRequest & { clinic_id: string, user_id: string | null }
): Promise<ProfessionalRow> {
  return await ctx.db.transaction(async (tx) => {
    const row = await insertProfessional(tx, { ...fields, created_by: user_id, updated_by: user_id })
    if (!external_ids) return row
    await professionalIds(ctx).save(tx, { clinic_id: fields.clinic_id, id: row.id, external_ids })
    return { ...row, external_ids }
  })
}
