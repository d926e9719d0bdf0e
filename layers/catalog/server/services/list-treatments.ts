import type { Ctx } from '@svc/kit'
import type { Treatment, TreatmentQuery } from '../../shared/contract.ts'
import { rankTreatments } from '../../shared/domain/rank-treatments.ts'
import { findSearched, findTreatments, selectTreatments, type TreatmentRow } from '../db/treatments.ts'
import { toTreatment } from './views.ts'

interface Found { rows: TreatmentRow[], total: number }

export async function listTreatments(
  ctx: Ctx,
  { active, priced, order, surfaces, ...at }: TreatmentQuery & { clinic_id: string }
): Promise<{ rows: Treatment[], total: number }> {
  const clinic = await ctx.clinics.get(at.clinic_id)
  const filter = { ...at, active: toBoolean(active), priced: toBoolean(priced) }
  const { rows, total } = order === 'best' && at.search
    ? await findBest(ctx, { ...filter, search: at.search, surfaces })
    : await selectTreatments(ctx.db, filter)
  return { rows: rows.map(row => toTreatment(row, clinic)), total }
}

type Search = Parameters<typeof selectTreatments>[1] & { search: string, surfaces: number | undefined }

/** Ranks everything that the search finds: the best result may be anywhere in the list. */
async function findBest(ctx: Ctx, { page, page_size, surfaces, ...filter }: Search): Promise<Found> {
  const found = await findSearched(ctx.db, filter)
  const ranked = rankTreatments(
    found.map(row => ({ ...row, names: Object.values(row.name) })), { text: filter.search, surfaces })
  const ids = ranked.slice((page - 1) * page_size, page * page_size).map(({ id }) => id)
  const rows = new Map((await findTreatments(ctx.db, { clinic_id: filter.clinic_id, ids })).map(row => [row.id, row]))
  return { rows: ids.flatMap(id => rows.get(id) ?? []), total: found.length }
}

export const toBoolean = (text: 'true' | 'false' | undefined) => text === undefined ? undefined : text === 'true'
