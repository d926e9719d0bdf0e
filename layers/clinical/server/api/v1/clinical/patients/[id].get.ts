import { defineEndpoint } from '@svc/kit'
import { answer } from '#clinical/server/http/patients.ts'
import { getPatient } from '#clinical/server/services/get-patient.ts'
import { Patient } from '#clinical/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'clinical.read' },
  summary: 'Get a patient.',
  response: Patient,
  handle: async ({ params, request }, ctx) =>
    answer(await getPatient(ctx, { clinic_id: request.actor.clinic_id, id: params.id! }))
})
