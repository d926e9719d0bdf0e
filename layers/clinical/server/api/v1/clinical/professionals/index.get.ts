import { defineEndpoint, page } from '@svc/kit'
import * as z from 'zod'
import { listProfessionals } from '#clinical/server/services/list-professionals.ts'
import { Professional, ProfessionalQuery } from '#clinical/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'clinical.read' },
  summary: 'List clinicians by name.',
  query: ProfessionalQuery,
  response: z.array(Professional),
  async handle({ query, request }, ctx) {
    const { rows, total } = await listProfessionals(ctx, { clinic_id: request.actor.clinic_id, ...query })
    return page(rows, { total, page: query.page, page_size: query.page_size })
  }
})
