import { defineEndpoint } from '@svc/kit'
import { answerSet, setAt } from '#catalog/server/http/sets.ts'
import { getSet } from '#catalog/server/services/sets/get-set.ts'
import { TreatmentSet } from '#catalog/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'catalog.read' },
  summary: 'Get a set.',
  response: TreatmentSet,
  handle: async ({ request }, ctx) => answerSet(await getSet(ctx, setAt(request)))
})
