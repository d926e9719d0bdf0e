import { removeFactor } from '#host/server/core/people/factors/remove-factor.ts'
import { notifyPerson } from '#host/server/core/people/mail/notices.ts'
import { byPerson, accountOwnerOf, personOf } from '#host/server/core/people/callers.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { PasswordConfirmation } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: 'session',
  before_factor: true,
  summary: 'Remove one of your second factors, with the password and one of your factors. Other sessions end.',
  limit: { name: 'password', points: 5, seconds: 60, by: byPerson, counts: 'requests' },
  body: PasswordConfirmation,
  problems: ['wrong_password', 'confirmation_required', 'not_found'],
  async handle({ params, body, request }, host) {
    await removeFactor(host, { ...accountOwnerOf(request), id: params.id!, password: body.password })
    notifyPerson(host, { user_id: personOf(request).user_id, what: 'factor_removed', request_id: request.id })
  }
})
