import { renewRecoveryCodes } from '#host/server/core/people/factors/remove-factor.ts'
import { notifyPerson } from '#host/server/core/people/mail/notices.ts'
import { byPerson, accountOwnerOf, personOf } from '#host/server/core/people/callers.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { PasswordConfirmation, RecoveryCodes } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: 'session',
  before_factor: true,
  summary: 'Get ten new recovery codes, with the password and one of your factors. Earlier ones stop working.',
  limit: { name: 'password', points: 5, seconds: 60, by: byPerson, counts: 'requests' },
  body: PasswordConfirmation,
  response: RecoveryCodes,
  shown_once: ['recovery_codes'],
  problems: ['wrong_password', 'confirmation_required', 'wrong_state'],
  async handle({ body, request }, host) {
    const recovery_codes = await renewRecoveryCodes(host, { ...accountOwnerOf(request), password: body.password })
    notifyPerson(host, { user_id: personOf(request).user_id, what: 'recovery_codes_renewed', request_id: request.id })
    return { recovery_codes }
  }
})
