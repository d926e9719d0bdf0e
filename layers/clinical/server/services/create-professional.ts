import type { Ctx } from '@svc/kit'
import type { ProfessionalRequest } from '../../shared/contract.ts'
import { insertProfessional, type ProfessionalRow } from '../db/professionals.ts'

export async function createProfessional(
  ctx: Ctx,
  { user_id, ...fields }: ProfessionalRequest & { clinic_id: string, user_id: string | null }
): Promise<ProfessionalRow> {
  return await insertProfessional(ctx.db, { ...fields, created_by: user_id, updated_by: user_id })
}
