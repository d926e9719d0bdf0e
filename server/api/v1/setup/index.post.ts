import { problem, reply } from '@svc/kit'
import { sessionCookie } from '#host/server/core/people/sessions/sessions.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { setUp } from '#host/server/core/setup/set-up.ts'
import { SetUp, SetupRequest } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: 'none',
  summary:
    'Set the instance up, once: the first clinic, its administrator, who also administers the instance, and a starter catalogue if wanted. Signs the administrator in: the answer has a bearer token, and sets it as a cookie too. 404 once there is a clinic.',
  body: SetupRequest,
  response: SetUp,
  status: 201,
  problems: ['not_found', 'setup_code_wrong', 'too_many_requests', 'account_unproven', 'module_errored'],
  async handle({ body, request }, host) {
    if (!await host.setup.isNeeded()) throw problem('not_found')
    const { secret, expires_at, device, clinic_id, user_id } = await setUp(host, body, request.client)
    return reply({
      status: 201,
      data: { access_token: secret, token_type: 'bearer', expires_at, clinic_id, user_id },
      cookies: [sessionCookie(secret), device]
    })
  }
})
