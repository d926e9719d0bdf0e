import { defineEndpoint, reply } from '@svc/kit'
import { cookie, wrongDigits } from '#budget/server/http/patient.ts'
import { openHandOver } from '#budget/server/services/hand-over/open-hand-over.ts'
import { SignAnswer, SignDigits } from '#budget/shared/contract.ts'

export default defineEndpoint({
  access: 'none',
  limit: wrongDigits,
  summary: 'Exchange the six digits of a hand-over for a session of its budget, in a cookie.',
  body: SignDigits,
  response: SignAnswer,
  problems: ['link_not_found'],
  async handle({ body, request }, ctx) {
    const { client, countFailure } = request
    const opened = await openHandOver(ctx, { given: body.code, by: 'digits_hash', client, countFailure })
    return reply({ data: { path: opened.path }, cookies: [cookie(opened.token, opened.value)] })
  }
})
