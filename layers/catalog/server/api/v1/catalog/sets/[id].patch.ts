import { defineEndpoint } from '@svc/kit'
import { answerSet, setAt } from '#catalog/server/http/sets.ts'
import { by } from '#catalog/server/http/treatments.ts'
import { changeSet } from '#catalog/server/services/sets/change-set.ts'
import { SetChange, TreatmentSet } from '#catalog/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'catalog.write' },
  summary: 'Change the given fields; `items` replaces all. Existing budgets don\'t change.',
  body: SetChange,
  response: TreatmentSet,
  problems: ['precondition_failed'],
  handle: async ({ body, request }, ctx) =>
    answerSet(await changeSet(ctx, { ...setAt(request), ...by(request), change: body }))
})
