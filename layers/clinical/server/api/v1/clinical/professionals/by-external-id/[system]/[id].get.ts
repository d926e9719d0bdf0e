import { defineEndpoint } from '@svc/kit'
import { answer } from '#clinical/server/http/professionals.ts'
import { getProfessionalNamed } from '#clinical/server/services/get-professional.ts'
import { Professional } from '#clinical/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'clinical.read' },
  summary: 'Get a clinician by what another system calls it.',
  response: Professional,
  handle: async ({ params, request }, ctx) =>
    answer(
      await getProfessionalNamed(ctx, { clinic_id: request.actor.clinic_id, system: params.system!, id: params.id! })
    )
})
