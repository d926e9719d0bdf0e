import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { signInWithPasskey } from '#host/server/core/people/factors/passkeys.ts'
import { answerSignIn } from '#host/server/core/people/sign-in/answer-sign-in.ts'
import { senderOf } from '#host/server/core/people/callers.ts'
import { assertPasswordsAllowed } from '#host/server/core/people/provider/provider.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { SignedIn, PasskeyRequest } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: 'none',
  summary: 'Sign in with a passkey: as the second factor of a ticket, or instead of the password.',
  limit: { name: 'passkey', points: 60, seconds: 60, by: 'address', counts: 'requests' },
  body: PasskeyRequest,
  response: SignedIn,
  problems: ['passkey_wrong', 'passkey_to_review', 'ticket_ended', 'passkeys_unavailable', 'password_sign_in_off'],
  async handle({ body: { ticket, response }, request }, host) {
    assertPasswordsAllowed(host.config)
    return answerSignIn(await signInWithPasskey(host, {
      ticket,
      response: response as unknown as AuthenticationResponseJSON,
      ...senderOf(request)
    }))
  }
})
