import type { Ctx } from '@svc/kit'
import { LANGUAGES, type PatientRequest } from '../../shared/contract.ts'
import { insertPatient, type PatientRow } from '../db/patients.ts'

/** Without a language the patient gets the clinic's. */
export async function createPatient(
  ctx: Ctx,
  { clinic_id, user_id, ...fields }: PatientRequest & { clinic_id: string, user_id: string | null }
): Promise<PatientRow> {
  const locale = fields.locale ?? supported((await ctx.clinics.get(clinic_id)).locale)
  return await insertPatient(ctx.db, { ...fields, locale, clinic_id, created_by: user_id, updated_by: user_id })
}

/** A clinic may name a region: es-ES is es. */
export function supported(locale: string): string {
  const language = locale.split('-')[0]!.toLowerCase()
  return LANGUAGES.find(known => known === language) ?? 'en'
}
