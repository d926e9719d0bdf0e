import { finishWithCode } from '#host/server/core/people/factors/second-step.ts'
import { answerSignIn } from '#host/server/core/people/sign-in/answer-sign-in.ts'
import { senderOf } from '#host/server/core/people/callers.ts'
import { assertPasswordsAllowed } from '#host/server/core/people/provider/provider.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { FactorRequest, SignedIn } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: 'none',
  summary: 'Finish signing in with a code of the authenticator app, or a recovery code. Each code works once.',
  body: FactorRequest,
  response: SignedIn,
  problems: ['ticket_ended', 'factor_wrong', 'password_sign_in_off'],
  async handle({ body, request }, host) {
    assertPasswordsAllowed(host.config)
    return answerSignIn(await finishWithCode(host, { ...body, ...senderOf(request) }))
  }
})
