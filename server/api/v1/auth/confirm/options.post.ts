import { confirmationOptions } from '#host/server/core/people/confirmation/confirm-person.ts'
import { actorOf, byPerson } from '#host/server/core/people/callers.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { PasskeyOptions } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: 'session',
  before_factor: true,
  summary: 'Begin to confirm with a passkey that it is you: the options for the browser.',
  limit: { name: 'factor', points: 10, seconds: 60, by: byPerson, counts: 'requests' },
  response: PasskeyOptions,
  problems: ['passkeys_unavailable'],
  handle: ({ request }, host) => confirmationOptions(host, actorOf(request))
})
