import { defineEndpoint } from '@svc/kit'
import { pictureOf } from '#payments/server/http/picture.ts'
import { depositOfSession } from '#payments/server/services/patient/deposit-of-session.ts'

export default defineEndpoint({
  access: 'budget.link',
  summary: 'The EPC QR code of the deposit, as a picture.',
  also: { 303: 'To the page of the link, where the code is asked for: a browser without a session.' },
  problems: ['not_found'],
  handle: async ({ params: { id = '' }, request: { session } }, ctx) =>
    pictureOf(ctx, await depositOfSession(ctx, { ...session, id }))
})
