import { defineEndpoint } from '@svc/kit'
import { answer, by } from '#clinical/server/http/patients.ts'
import { createPatient } from '#clinical/server/services/create-patient.ts'
import { Patient, PatientRequest } from '#clinical/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'clinical.write' },
  summary: 'Add a patient.',
  body: PatientRequest,
  response: Patient,
  status: 201,
  problems: ['external_id_taken'],
  handle: async ({ body, request }, ctx) => answer(await createPatient(ctx, { ...body, ...by(request) }), 201)
})
