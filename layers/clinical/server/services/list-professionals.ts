import type { Ctx } from '@svc/kit'
import type { Professional, ProfessionalQuery } from '../../shared/contract.ts'
import { selectProfessionals } from '../db/professionals.ts'
import { toProfessional } from './views.ts'

export async function listProfessionals(
  ctx: Ctx,
  { active, ...at }: ProfessionalQuery & { clinic_id: string }
): Promise<{ rows: Professional[], total: number }> {
  const { rows, total } = await selectProfessionals(ctx.db, { ...at, active: active && active === 'true' })
  return { rows: rows.map(toProfessional), total }
}
