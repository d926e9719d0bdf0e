import type { Ctx } from '@svc/kit'
import type { Treatment, TreatmentQuery } from '../../shared/contract.ts'
import { selectTreatments } from '../db/treatments.ts'
import { toTreatment } from './views.ts'

export async function listTreatments(
  ctx: Ctx,
  { active, ...at }: TreatmentQuery & { clinic_id: string }
): Promise<{ rows: Treatment[], total: number }> {
  const clinic = await ctx.clinics.get(at.clinic_id)
  const { rows, total } = await selectTreatments(ctx.db, { ...at, active: active && active === 'true' })
  return { rows: rows.map(row => toTreatment(row, clinic)), total }
}
