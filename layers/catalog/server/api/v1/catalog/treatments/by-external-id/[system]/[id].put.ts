import { defineEndpoint } from '@svc/kit'
import { answer, by, who } from '#catalog/server/http/treatments.ts'
import { putTreatment } from '#catalog/server/services/put-treatment.ts'
import { Treatment, TreatmentRequest } from '#catalog/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'catalog.write' },
  summary: 'Change what another system calls so, or add it. Fields that are left out stay.',
  body: TreatmentRequest,
  response: Treatment,
  also: { 201: 'It was added.' },
  problems: ['code_taken', 'external_id_taken', 'precondition_failed', 'price_mode_changed'],
  async handle({ params, body, request }, ctx) {
    const if_match = request.headers['if-match']
    const { record, is_new } = await putTreatment(ctx, { ...by(request), who: who(request), params, if_match, body })
    return answer(record, is_new ? 201 : 200)
  }
})
