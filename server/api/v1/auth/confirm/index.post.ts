import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { confirmPerson } from '#host/server/core/people/confirmation/confirm-person.ts'
import { byPerson, accountOwnerOf } from '#host/server/core/people/callers.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { Confirmation, ConfirmationRequest } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: 'session',
  before_factor: true,
  summary: 'Confirm that it is you, for five minutes of this session: with the password, and one of your factors.',
  limit: { name: 'confirmation', points: 5, seconds: 60, by: byPerson, counts: 'requests' },
  body: ConfirmationRequest,
  response: Confirmation,
  problems: ['wrong_password', 'wrong_code', 'wrong_passkey', 'confirmation_required', 'passkeys_unavailable'],
  async handle({ body: { passkey, ...shown }, request }, host) {
    const given = { ...shown, passkey: passkey as unknown as AuthenticationResponseJSON | undefined }
    return { confirmed_until: await confirmPerson(host, { ...accountOwnerOf(request), ...given }) }
  }
})
