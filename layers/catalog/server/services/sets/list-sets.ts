import type { Ctx } from '@svc/kit'
import type { SetQuery, TreatmentSet } from '../../../shared/contract.ts'
import { selectSets } from '../../db/sets.ts'
import { viewSets } from './view-sets.ts'

export async function listSets(
  ctx: Ctx,
  at: SetQuery & { clinic_id: string }
): Promise<{ rows: TreatmentSet[], total: number }> {
  const { rows, total } = await selectSets(ctx.db, at)
  return { rows: await viewSets(ctx, at.clinic_id, rows), total }
}
