import { isId, problem, type Ctx } from '@svc/kit'
import { findTreatment } from '../db/treatments.ts'
import type { Versioned } from './create-treatment.ts'
import { toTreatment } from './views.ts'

/** A malformed id is as unknown as another clinic's. */
export async function getTreatment(ctx: Ctx, { clinic_id, id }: { clinic_id: string, id: string }): Promise<Versioned> {
  const row = isId(id) ? await findTreatment(ctx.db, { clinic_id, id }) : null
  if (!row) throw problem('not_found')
  const clinic = await ctx.clinics.get(clinic_id)
  return { version: row.version, treatment: toTreatment(row, clinic) }
}
