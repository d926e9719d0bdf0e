import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import { reply } from '@svc/kit'
import { browserOf } from '#host/server/core/people/sign-in/browser-of.ts'
import { addPasskey } from '#host/server/core/people/factors/enrol-passkey.ts'
import { notifyPerson } from '#host/server/core/people/mail/notices.ts'
import { byPerson, accountOwnerOf, personOf } from '#host/server/core/people/callers.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { AddedPasskey, NewPasskey } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: 'session',
  before_factor: true,
  summary: 'Add the passkey that the browser made. Recovery codes come with the first factor.',
  limit: { name: 'factor', points: 10, seconds: 60, by: byPerson, counts: 'requests' },
  status: 201,
  body: NewPasskey,
  response: AddedPasskey,
  shown_once: ['recovery_codes'],
  problems: ['passkey_refused', 'confirmation_required', 'passkeys_unavailable', 'wrong_state'],
  async handle({ body, request }, host) {
    const { factor, recovery_codes } = await addPasskey(host, {
      ...accountOwnerOf(request),
      name: body.name ?? browserOf(request.client.user_agent) ?? 'Passkey',
      response: body.response as unknown as RegistrationResponseJSON
    })
    const { user_id } = personOf(request)
    notifyPerson(host, { user_id, what: 'factor_added', factor_id: factor.id, request_id: request.id })
    return reply({ data: { ...factor, to_review: false, recovery_codes } })
  }
})
