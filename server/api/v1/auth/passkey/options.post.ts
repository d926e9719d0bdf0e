import { signInOptions } from '#host/server/core/people/factors/passkeys.ts'
import { assertPasswordsAllowed } from '#host/server/core/people/provider/provider.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { PasskeyOptions, PasskeyOptionsRequest } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: 'none',
  summary: 'Begin to sign in with a passkey: as the second factor of a ticket, or instead of the password.',
  limit: { name: 'passkey', points: 60, seconds: 60, by: 'address', counts: 'requests' },
  body: PasskeyOptionsRequest,
  response: PasskeyOptions,
  problems: ['ticket_ended', 'passkeys_unavailable', 'password_sign_in_off'],
  handle({ body, request }, host) {
    assertPasswordsAllowed(host.config)
    return signInOptions(host, { ...body, cookies: request.cookies })
  }
})
