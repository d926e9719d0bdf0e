import type { Ctx } from '@svc/kit'
import type { Clinical } from '@svc/kit/modules/clinical'
import { PatientRequest } from '../shared/contract.ts'
import { createPatient } from './services/create-patient.ts'
import { lookUpPatient } from './services/get-patient.ts'
import { lookUpProfessional } from './services/get-professional.ts'
import { listPatients } from './services/list-patients.ts'
import { listProfessionals } from './services/list-professionals.ts'
import { toPatient, toProfessional } from './services/views.ts'

export const createExports = (ctx: Ctx): Clinical => ({
  createPatient: async (clinic_id, fields) =>
    toPatient(await createPatient(ctx, { ...PatientRequest.parse(fields), clinic_id, user_id: null })),
  async getPatient(clinic_id, id) {
    const row = await lookUpPatient(ctx, { clinic_id, id })
    return row && !row.erased_at ? toPatient(row) : null
  },
  async getProfessional(clinic_id, id) {
    const row = await lookUpProfessional(ctx, { clinic_id, id })
    return row && toProfessional(row)
  },
  listPatients: (clinic_id, query) => listPatients(ctx, { ...query, clinic_id }),
  listProfessionals: (clinic_id, query) => listProfessionals(ctx, { ...query, clinic_id })
})
