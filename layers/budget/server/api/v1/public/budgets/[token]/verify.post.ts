import { defineEndpoint, reply } from '@svc/kit'
import { cookie, wrongCodes } from '#budget/server/http/patient.ts'
import { verifyCode } from '#budget/server/services/link/verify-code.ts'
import { VerifyAnswer, VerifyRequest } from '#budget/shared/contract.ts'

export default defineEndpoint({
  access: 'none',
  limit: wrongCodes,
  summary: 'Exchange the code for a session of this link, in a cookie.',
  body: VerifyRequest,
  response: VerifyAnswer,
  problems: ['link_not_found', 'code_wrong', 'link_locked'],
  async handle({ params, body, request }, ctx) {
    const { client, countFailure } = request
    const { value, session_expires_at } = await verifyCode(ctx, {
      token: params.token!,
      code: body.code,
      client,
      countFailure
    })
    return reply({ data: { session_expires_at }, cookies: [cookie(params.token!, value)] })
  }
})
