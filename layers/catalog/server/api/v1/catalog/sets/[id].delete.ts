import { defineEndpoint } from '@svc/kit'
import { setAt } from '#catalog/server/http/sets.ts'
import { deleteSet } from '#catalog/server/services/sets/delete-set.ts'

export default defineEndpoint({
  access: { permission: 'catalog.write' },
  summary: 'Delete a set. Treatments and existing budgets don\'t change.',
  problems: ['precondition_failed'],
  handle: ({ request }, ctx) => deleteSet(ctx, setAt(request))
})
