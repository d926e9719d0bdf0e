import { defineEndpoint } from '@svc/kit'
import { answerSet } from '#catalog/server/http/sets.ts'
import { by } from '#catalog/server/http/treatments.ts'
import { createSet } from '#catalog/server/services/sets/create-set.ts'
import { SetRequest, TreatmentSet } from '#catalog/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'catalog.write' },
  summary: 'Add a set of treatments that are often added together.',
  body: SetRequest,
  response: TreatmentSet,
  status: 201,
  handle: async ({ body, request }, ctx) => answerSet(await createSet(ctx, { ...body, ...by(request) }), 201)
})
