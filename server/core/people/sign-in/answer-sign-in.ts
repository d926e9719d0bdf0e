import { reply, type Reply } from '@svc/kit'
import type { SignedIn } from '../factors/second-step.ts'
import { sessionCookie } from '../sessions/sessions.ts'

/** Sends the session's secret both as a bearer token and as a cookie. */
export const answerSignIn = ({ secret, expires_at, cookies }: SignedIn): Reply =>
  reply({
    data: { access_token: secret, token_type: 'bearer', expires_at },
    cookies: [sessionCookie(secret), ...cookies]
  })
