import { renewRecoveryCodes } from '#host/server/core/auth/factors/remove-factor.ts'
import { byPerson, doerOf } from '#host/server/core/http/callers.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { PasswordConfirmation, RecoveryCodes } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: 'session',
  before_factor: true,
  summary: 'Get ten new recovery codes, with the password. Earlier ones stop working.',
  limit: { name: 'password', points: 5, seconds: 60, by: byPerson, counts: 'requests' },
  body: PasswordConfirmation,
  response: RecoveryCodes,
  problems: ['wrong_password', 'wrong_state'],
  handle: async ({ body, request }, host) => ({
    recovery_codes: await renewRecoveryCodes(host, { ...doerOf(request), password: body.password })
  })
})
