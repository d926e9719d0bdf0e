import { defineEndpoint } from '@svc/kit'
import { answer, by } from '#catalog/server/http/treatments.ts'
import { createTreatment } from '#catalog/server/services/create-treatment.ts'
import { Treatment, TreatmentRequest } from '#catalog/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'catalog.write' },
  summary: 'Add a treatment.',
  body: TreatmentRequest,
  response: Treatment,
  status: 201,
  problems: ['code_taken', 'external_id_taken', 'price_mode_changed'],
  handle: async ({ body, request }, ctx) => answer(await createTreatment(ctx, { ...body, ...by(request) }), 201)
})
