import type { Ctx } from '@svc/kit'
import { LANGUAGES, type PatientRequest } from '../../shared/contract.ts'
import { patientIds } from '../db/external-ids.ts'
import { assertPhone } from './phone/assert-phone.ts'
import { insertPatient, type PatientRow } from '../db/patients.ts'

/** The language defaults to the clinic's. Throws `external_id_taken`, `validation_failed` for a phone. */
export async function createPatient(
  ctx: Ctx,
  { clinic_id, user_id, external_ids, ...fields }: PatientRequest & { clinic_id: string, user_id: string | null }
): Promise<PatientRow> {
  await assertPhone(ctx, { clinic_id, phone: fields.phone })
  const locale = fields.locale ?? supported((await ctx.clinics.get(clinic_id)).locale)
  return await ctx.db.transaction(async (tx) => {
    const row = await insertPatient(tx, { ...fields, locale, clinic_id, created_by: user_id, updated_by: user_id })
    if (!external_ids) return row
    await patientIds(ctx).save(tx, { clinic_id, id: row.id, external_ids })
    return { ...row, external_ids }
  })
}

/** A clinic's locale may contain a region: es-ES becomes es. */
export function supported(locale: string): string {
  const language = locale.split('-')[0]!.toLowerCase()
  return LANGUAGES.find(known => known === language) ?? 'en'
}
