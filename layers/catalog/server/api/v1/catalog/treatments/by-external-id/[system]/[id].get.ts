import { defineEndpoint } from '@svc/kit'
import { answer } from '#catalog/server/http/treatments.ts'
import { getTreatmentNamed } from '#catalog/server/services/get-treatment.ts'
import { Treatment } from '#catalog/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'catalog.read' },
  summary: 'Get a treatment by what another system calls it.',
  response: Treatment,
  handle: async ({ params, request }, ctx) =>
    answer(await getTreatmentNamed(ctx, { clinic_id: request.actor.clinic_id, system: params.system!, id: params.id! }))
})
