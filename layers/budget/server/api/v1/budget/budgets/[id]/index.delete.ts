import { defineEndpoint } from '@svc/kit'
import { by } from '#budget/server/http/staff.ts'
import { deleteBudget } from '#budget/server/services/draft/delete-budget.ts'

export default defineEndpoint({
  access: { permission: 'budget.write' },
  summary: 'Delete a draft. Its number stays unused.',
  problems: ['wrong_state', 'patient_erased', 'content_tampered'],
  handle: async ({ request }, ctx) => await deleteBudget(ctx, by(request))
})
