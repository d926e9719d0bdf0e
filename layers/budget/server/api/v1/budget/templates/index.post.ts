import { defineEndpoint } from '@svc/kit'
import { answerTemplate } from '#budget/server/http/templates.ts'
import { saveTemplate } from '#budget/server/services/templates/save-template.ts'
import { Template, TemplateRequest } from '#budget/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'budget.write' },
  summary: 'Save a budget\'s lines, choices, discounts and texts for the patient as a template, without its prices.',
  body: TemplateRequest,
  response: Template,
  status: 201,
  problems: ['not_found', 'patient_erased'],
  handle: async ({ body, request: { actor } }, ctx) =>
    answerTemplate(await saveTemplate(ctx, { ...body, clinic_id: actor.clinic_id, user_id: actor.user_id }), 201)
})
