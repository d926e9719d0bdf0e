import { isId, problem, type Ctx } from '@svc/kit'
import { professionalIds } from '../db/external-ids.ts'
import { findProfessional, type ProfessionalRow } from '../db/professionals.ts'

interface At { clinic_id: string, id: string }

/** A malformed id is treated as unknown, like another clinic's id. */
export const lookUpProfessional = async (ctx: Ctx, at: At): Promise<ProfessionalRow | null> =>
  isId(at.id) ? await findProfessional(ctx.db, at) : null

/** Throws `not_found`. */
export async function getProfessional(ctx: Ctx, at: At): Promise<ProfessionalRow> {
  const row = await lookUpProfessional(ctx, at)
  if (!row) throw problem('not_found')
  return row
}

/** By its id in another system. Throws `not_found`. */
export async function getProfessionalNamed(
  ctx: Ctx,
  { clinic_id, system, id }: At & { system: string }
): Promise<ProfessionalRow> {
  const found = await professionalIds(ctx).find(ctx.db, { clinic_id, system, external_id: id })
  if (!found) throw problem('not_found')
  return await getProfessional(ctx, { clinic_id, id: found })
}
