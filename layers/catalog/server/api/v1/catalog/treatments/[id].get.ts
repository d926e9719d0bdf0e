import { defineEndpoint } from '@svc/kit'
import { answer } from '#catalog/server/http/treatments.ts'
import { getTreatment } from '#catalog/server/services/get-treatment.ts'
import { Treatment } from '#catalog/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'catalog.read' },
  summary: 'Get a treatment.',
  response: Treatment,
  handle: async ({ params, request }, ctx) =>
    answer(await getTreatment(ctx, { clinic_id: request.actor.clinic_id, id: params.id! }))
})
