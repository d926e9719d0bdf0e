import type { Ctx } from '@svc/kit'
import type { Patient, PatientQuery } from '../../shared/contract.ts'
import { selectPatients } from '../db/patients.ts'
import { toPatient } from './views.ts'

export async function listPatients(
  ctx: Ctx,
  at: PatientQuery & { clinic_id: string }
): Promise<{ rows: Patient[], total: number }> {
  const { rows, total } = await selectPatients(ctx.db, at)
  return { rows: rows.map(toPatient), total }
}
