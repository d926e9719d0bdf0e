import { defineEndpoint, etagOf, reply } from '@svc/kit'
import { detailOf } from '#budget/server/http/detail.ts'
import { at } from '#budget/server/http/staff.ts'
import { createFromTemplate } from '#budget/server/services/templates/create-from-template.ts'
import { FromTemplateAnswer, FromTemplateRequest } from '#budget/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'budget.write' },
  summary: 'Create a draft from a template at the catalog\'s prices of today. `left_out` says what it does not have.',
  body: FromTemplateRequest,
  response: FromTemplateAnswer,
  status: 201,
  async handle({ body, request }, ctx) {
    const { user_id } = request.actor
    const { budget, left_out } = await createFromTemplate(ctx, { ...body, ...at(request), user_id })
    const { detail, edit } = await detailOf(ctx, budget)
    return reply({ status: 201, headers: { ETag: etagOf(edit) }, data: { ...detail, left_out } })
  }
})
