import { isId, problem, type Ctx } from '@svc/kit'
import { patientIds } from '../db/external-ids.ts'
import { findPatient, type PatientRow } from '../db/patients.ts'

interface At { clinic_id: string, id: string }

/** A malformed id is treated as unknown, like another clinic's id. */
export const lookUpPatient = async (ctx: Ctx, at: At): Promise<PatientRow | null> =>
  isId(at.id) ? await findPatient(ctx.db, at) : null

/** Throws `not_found`. */
export async function getPatient(ctx: Ctx, at: At): Promise<PatientRow> {
  const row = await lookUpPatient(ctx, at)
  if (!row) throw problem('not_found')
  return row
}

/** By its id in another system. Throws `not_found`. */
export async function getPatientNamed(
  ctx: Ctx,
  { clinic_id, system, id }: At & { system: string }
): Promise<PatientRow> {
  const found = await patientIds(ctx).find(ctx.db, { clinic_id, system, external_id: id })
  if (!found) throw problem('not_found')
  return await getPatient(ctx, { clinic_id, id: found })
}
