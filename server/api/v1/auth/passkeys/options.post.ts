import { enrolmentOptions } from '#host/server/core/people/factors/enrol-passkey.ts'
import { actorOf } from '#host/server/core/people/callers.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { PasskeyOptions } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: 'session',
  before_factor: true,
  summary: 'Begin to add a passkey: the options for the browser.',
  response: PasskeyOptions,
  problems: ['confirmation_required', 'passkeys_unavailable'],
  handle: ({ request }, host) => enrolmentOptions(host, actorOf(request))
})
