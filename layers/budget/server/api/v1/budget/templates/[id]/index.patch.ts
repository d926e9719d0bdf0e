import { defineEndpoint } from '@svc/kit'
import { answerTemplate, templateAt } from '#budget/server/http/templates.ts'
import { changeTemplate } from '#budget/server/services/templates/change-template.ts'
import { Template, TemplateChange } from '#budget/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'budget.write' },
  summary: 'Rename a template.',
  body: TemplateChange,
  response: Template,
  problems: ['precondition_failed'],
  handle: async ({ body, request }, ctx) =>
    answerTemplate(await changeTemplate(ctx, { ...templateAt(request), ...body, user_id: request.actor.user_id }))
})
