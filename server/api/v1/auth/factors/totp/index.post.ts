import { startTotp } from '#host/server/core/people/factors/enrol-totp.ts'
import { accountOwnerOf } from '#host/server/core/people/callers.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { NewTotp } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: 'session',
  before_factor: true,
  summary: 'Begin to add an authenticator app: its secret, and the address for a QR code. It counts once confirmed.',
  response: NewTotp,
  shown_once: ['secret', 'otpauth_url'],
  problems: ['confirmation_required', 'wrong_state'],
  handle: ({ request }, host) => startTotp(host, accountOwnerOf(request))
})
