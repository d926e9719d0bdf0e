import { defineEndpoint } from '@svc/kit'
import { templateAt } from '#budget/server/http/templates.ts'
import { deleteTemplate } from '#budget/server/services/templates/change-template.ts'

export default defineEndpoint({
  access: { permission: 'budget.write' },
  summary: 'Delete a template. Budgets that were made of it don\'t change.',
  problems: ['precondition_failed'],
  handle: ({ request }, ctx) => deleteTemplate(ctx, templateAt(request))
})
