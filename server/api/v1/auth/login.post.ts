import { reply } from '@svc/kit'
import { logIn } from '#host/server/core/auth/log-in.ts'
import { sessionCookie } from '#host/server/core/auth/sessions.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { LoggedIn, LogInRequest } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: 'none',
  summary: 'Sign in. The answer has a bearer token, and sets it as a cookie too.',
  body: LogInRequest,
  response: LoggedIn,
  problems: ['bad_credentials'],
  async handle({ body, request }, host) {
    const { secret, expires_at, device } = await logIn(host, {
      ...body,
      client: request.client,
      cookies: request.cookies
    })
    return reply({
      data: { access_token: secret, token_type: 'bearer', expires_at },
      cookies: [sessionCookie(secret), device]
    })
  }
})
