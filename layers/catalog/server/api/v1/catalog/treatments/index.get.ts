import { defineEndpoint, page } from '@svc/kit'
import * as z from 'zod'
import { listTreatments } from '#catalog/server/services/list-treatments.ts'
import { Treatment, TreatmentQuery } from '#catalog/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'catalog.read' },
  summary: 'List treatments by code. `search` matches the beginnings of words in code and names; with `order=best`, what fits best comes first, and words inside words are found too.',
  query: TreatmentQuery,
  response: z.array(Treatment),
  async handle({ query, request }, ctx) {
    const { rows, total } = await listTreatments(ctx, { clinic_id: request.actor.clinic_id, ...query })
    return page(rows, { total, page: query.page, page_size: query.page_size })
  }
})
