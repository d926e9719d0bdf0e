import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { revokeClinicToken } from '#host/server/core/people/tokens/clinic-tokens.ts'

export default defineCoreEndpoint({
  access: { permission: 'clinic.manage' },
  people_only: true,
  summary: 'Revoke a token. From then on it opens nothing.',
  handle: ({ params, request: { actor, client } }, host) => revokeClinicToken(host, { actor, client, id: params.id! })
})
