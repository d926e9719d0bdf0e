import { defineEndpoint } from '@svc/kit'
import { answer, by, who } from '#clinical/server/http/patients.ts'
import { changePatient } from '#clinical/server/services/change-patient.ts'
import { Patient, PatientChange } from '#clinical/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'clinical.write' },
  summary: 'Change the given fields. With If-Match, only if no one else changed them since.',
  body: PatientChange,
  response: Patient,
  problems: ['external_id_taken', 'precondition_failed', 'patient_erased'],
  handle: async ({ params, body, request }, ctx) =>
    answer(
      await changePatient(ctx, {
        ...by(request),
        who: who(request),
        id: params.id!,
        if_match: request.headers['if-match'],
        change: body
      })
    )
})
