import { defineEndpoint } from '@svc/kit'
import { answer, by, who } from '#clinical/server/http/patients.ts'
import { putPatient } from '#clinical/server/services/put-patient.ts'
import { Patient, PatientRequest } from '#clinical/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'clinical.write' },
  summary: 'Change what another system calls so, or add it. Fields that are left out stay.',
  body: PatientRequest,
  response: Patient,
  also: { 201: 'It was added.' },
  problems: ['external_id_taken', 'precondition_failed', 'patient_erased'],
  async handle({ params, body, request }, ctx) {
    const if_match = request.headers['if-match']
    const { record, is_new } = await putPatient(ctx, { ...by(request), who: who(request), params, if_match, body })
    return answer(record, is_new ? 201 : 200)
  }
})
