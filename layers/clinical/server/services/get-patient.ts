import { isId, problem, type Ctx } from '@svc/kit'
import { findPatient, type PatientRow } from '../db/patients.ts'

interface At { clinic_id: string, id: string }

/** A malformed id is as unknown as another clinic's. */
export const lookUpPatient = async (ctx: Ctx, at: At): Promise<PatientRow | null> =>
  isId(at.id) ? await findPatient(ctx.db, at) : null

/** Throws `not_found`. */
export async function getPatient(ctx: Ctx, at: At): Promise<PatientRow> {
  const row = await lookUpPatient(ctx, at)
  if (!row) throw problem('not_found')
  return row
}
