import { defineEndpoint, page } from '@svc/kit'
import * as z from 'zod'
import { listSets } from '#catalog/server/services/sets/list-sets.ts'
import { SetQuery, TreatmentSet } from '#catalog/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'catalog.read' },
  summary: 'List sets of treatments by name. `search` matches the beginnings of words.',
  query: SetQuery,
  response: z.array(TreatmentSet),
  async handle({ query, request }, ctx) {
    const { rows, total } = await listSets(ctx, { clinic_id: request.actor.clinic_id, ...query })
    return page(rows, { total, page: query.page, page_size: query.page_size })
  }
})
