import { defineEndpoint, reply } from '@svc/kit'
import { cookie, needsSession } from '#budget/server/http/patient.ts'
import { closeSession } from '#budget/server/services/link/close-session.ts'
import { linkSession } from '#budget/server/services/link/find-link.ts'

export default defineEndpoint({
  access: linkSession,
  summary: 'End the session.',
  problems: needsSession,
  async handle({ params, request }, ctx) {
    await closeSession(ctx, request)
    return reply({ status: 204, cookies: [{ ...cookie(params.token!, ''), max_age: 0 }] })
  }
})
