import { defineEndpoint } from '@svc/kit'
import { answer, by } from '#clinical/server/http/professionals.ts'
import { createProfessional } from '#clinical/server/services/create-professional.ts'
import { Professional, ProfessionalRequest } from '#clinical/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'clinical.write' },
  summary: 'Add a clinician, who can then be chosen for budgets.',
  body: ProfessionalRequest,
  response: Professional,
  status: 201,
  problems: ['external_id_taken'],
  handle: async ({ body, request }, ctx) => answer(await createProfessional(ctx, { ...body, ...by(request) }), 201)
})
