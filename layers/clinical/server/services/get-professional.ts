import { isId, problem, type Ctx } from '@svc/kit'
import { findProfessional, type ProfessionalRow } from '../db/professionals.ts'

interface At { clinic_id: string, id: string }

/** A malformed id is as unknown as another clinic's. */
export const lookUpProfessional = async (ctx: Ctx, at: At): Promise<ProfessionalRow | null> =>
  isId(at.id) ? await findProfessional(ctx.db, at) : null

/** Throws `not_found`. */
export async function getProfessional(ctx: Ctx, at: At): Promise<ProfessionalRow> {
  const row = await lookUpProfessional(ctx, at)
  if (!row) throw problem('not_found')
  return row
}
