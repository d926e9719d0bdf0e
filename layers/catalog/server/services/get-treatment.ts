import { isId, problem, type Ctx } from '@svc/kit'
import { treatmentIds } from '../db/external-ids.ts'
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

/** By what another system calls it. Throws `not_found`. */
export async function getTreatmentNamed(
  ctx: Ctx,
  { clinic_id, system, id }: { clinic_id: string, system: string, id: string }
): Promise<Versioned> {
  const found = await treatmentIds(ctx).find(ctx.db, { clinic_id, system, external_id: id })
  if (!found) throw problem('not_found')
  return await getTreatment(ctx, { clinic_id, id: found })
}
