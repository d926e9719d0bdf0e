import { defineEndpoint } from '@svc/kit'
import { answer } from '#clinical/server/http/patients.ts'
import { getPatientNamed } from '#clinical/server/services/get-patient.ts'
import { Patient } from '#clinical/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'clinical.read' },
  summary: 'Get a patient by what another system calls it.',
  response: Patient,
  handle: async ({ params, request }, ctx) =>
    answer(
      await getPatientNamed(ctx, { clinic_id: request.actor.clinic_id, system: params.system!, id: params.id! })
    )
})
