import type { Ctx } from '@svc/kit'
import type { PricedTreatment } from '@svc/kit/modules/catalog'
import type { Patient, Professional } from '@svc/kit/modules/clinical'

// All calls of this module to the modules on which it depends.

export const findPatient = (ctx: Ctx, clinic_id: string, id: string): Promise<Patient | null> =>
  ctx.use('clinical').getPatient(clinic_id, id)

export const findProfessional = (ctx: Ctx, clinic_id: string, id: string): Promise<Professional | null> =>
  ctx.use('clinical').getProfessional(clinic_id, id)

export const findTreatments = (ctx: Ctx, clinic_id: string, ids: string[]): Promise<PricedTreatment[]> =>
  ctx.use('catalog').getTreatments(clinic_id, ids)
