import { reply } from '@svc/kit'
import { logIn } from '#host/server/core/people/sign-in/log-in.ts'
import { answerSignIn } from '#host/server/core/people/sign-in/answer-sign-in.ts'
import { senderOf } from '#host/server/core/people/callers.ts'
import { mustTakePasswords } from '#host/server/core/people/provider/provider.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { LogInAnswer, LogInRequest } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: 'none',
  summary: 'Sign in. The answer has a bearer token, also set as a cookie, or the ticket for the second factor.',
  body: LogInRequest,
  response: LogInAnswer,
  problems: ['bad_credentials', 'password_sign_in_off'],
  async handle({ body, request }, host) {
    mustTakePasswords(host.config)
    const outcome = await logIn(host, { ...body, ...senderOf(request) })
    if ('secret' in outcome) return answerSignIn(outcome)
    const { factor, ticket, cookies } = outcome
    return reply({ data: { factor, ticket }, cookies })
  }
})
