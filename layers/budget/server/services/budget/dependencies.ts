import type { Ctx } from '@svc/kit'
import type { Catalog, PricedTreatment } from '../../../../catalog/server/exports.ts'
import type { Clinical } from '../../../../clinical/server/exports.ts'

// All calls of this module to the modules on which it depends.

export type PatientCard = NonNullable<Awaited<ReturnType<Clinical['getPatient']>>>
export type ProfessionalCard = NonNullable<Awaited<ReturnType<Clinical['getProfessional']>>>
export type TreatmentCard = PricedTreatment

export const findPatient = (ctx: Ctx, clinic_id: string, id: string): Promise<PatientCard | null> =>
  ctx.use<Clinical>('clinical').getPatient(clinic_id, id)

export const findProfessional = (ctx: Ctx, clinic_id: string, id: string): Promise<ProfessionalCard | null> =>
  ctx.use<Clinical>('clinical').getProfessional(clinic_id, id)

export const findTreatments = (ctx: Ctx, clinic_id: string, ids: string[]): Promise<TreatmentCard[]> =>
  ctx.use<Catalog>('catalog').getTreatments(clinic_id, ids)
