import { defineEndpoint, reply } from '@svc/kit'
import { cookie, wrongSecrets } from '#budget/server/http/patient.ts'
import { openHandOver } from '#budget/server/services/hand-over/open-hand-over.ts'
import { SignAnswer, SignSecret } from '#budget/shared/contract.ts'

export default defineEndpoint({
  access: 'none',
  limit: wrongSecrets,
  summary: 'Exchange the secret of a hand-over’s QR code for a session of its budget, in a cookie.',
  body: SignSecret,
  response: SignAnswer,
  problems: ['link_not_found'],
  async handle({ body, request }, ctx) {
    const { client, countFailure } = request
    const opened = await openHandOver(ctx, { given: body.secret, by: 'secret_hash', client, countFailure })
    return reply({ data: { path: opened.path }, cookies: [cookie(opened.token, opened.value)] })
  }
})
