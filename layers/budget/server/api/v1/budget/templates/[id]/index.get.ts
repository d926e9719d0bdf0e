import { defineEndpoint } from '@svc/kit'
import { answerTemplate, templateAt } from '#budget/server/http/templates.ts'
import { getTemplate } from '#budget/server/services/templates/get-template.ts'
import { Template } from '#budget/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'budget.read' },
  summary: 'Get a template at the catalog\'s prices of today, with what of it is no longer offered.',
  response: Template,
  handle: async ({ request }, ctx) => answerTemplate(await getTemplate(ctx, templateAt(request)))
})
