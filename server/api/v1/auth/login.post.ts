import { reply } from '@svc/kit'
import { signIn } from '#host/server/core/people/sign-in/sign-in.ts'
import { answerSignIn } from '#host/server/core/people/sign-in/answer-sign-in.ts'
import { senderOf } from '#host/server/core/people/callers.ts'
import { assertPasswordsAllowed } from '#host/server/core/people/provider/provider.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { SignInAnswer, SignInRequest } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: 'none',
  summary: 'Sign in. The answer has a bearer token, also set as a cookie, or the ticket for the second factor.',
  body: SignInRequest,
  response: SignInAnswer,
  problems: ['bad_credentials', 'password_sign_in_off'],
  async handle({ body, request }, host) {
    assertPasswordsAllowed(host.config)
    const outcome = await signIn(host, { ...body, ...senderOf(request) })
    if ('secret' in outcome) return answerSignIn(outcome)
    const { factor, ticket, cookies } = outcome
    return reply({ data: { factor, ticket }, cookies })
  }
})
