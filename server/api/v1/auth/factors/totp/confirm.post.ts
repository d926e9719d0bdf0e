import { confirmTotp } from '#host/server/core/people/factors/enrol-totp.ts'
import { notifyPerson } from '#host/server/core/people/mail/notices.ts'
import { byPerson, accountOwnerOf, personOf } from '#host/server/core/people/callers.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { RecoveryCodes, TotpConfirmation } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: 'session',
  before_factor: true,
  summary: 'Confirm the authenticator app with a code. The answer has ten recovery codes, shown once.',
  limit: { name: 'factor', points: 10, seconds: 60, by: byPerson, counts: 'requests' },
  body: TotpConfirmation,
  response: RecoveryCodes,
  shown_once: ['recovery_codes'],
  problems: ['wrong_code', 'confirmation_required', 'wrong_state'],
  async handle({ body, request }, host) {
    const { factor_id, recovery_codes } = await confirmTotp(host, { ...accountOwnerOf(request), code: body.code })
    const { user_id } = personOf(request)
    notifyPerson(host, { user_id, what: 'factor_added', factor_id, request_id: request.id })
    return { recovery_codes }
  }
})
