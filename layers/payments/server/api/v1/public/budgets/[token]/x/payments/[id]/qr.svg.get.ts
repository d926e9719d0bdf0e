import { defineEndpoint } from '@svc/kit'
import { pictureOf } from '#payments/server/http/picture.ts'
import { depositOfSession } from '#payments/server/services/patient/deposit-of-session.ts'

export default defineEndpoint({
  access: 'budget.link',
  summary: 'The EPC QR code of the deposit, as a picture.',
  problems: ['not_found'],
  handle: async ({ params: { id = '' }, request: { session } }, ctx) =>
    pictureOf(ctx, await depositOfSession(ctx, { ...session, id }))
})
