import { defineEndpoint } from '@svc/kit'
import { pictureOf } from '#payments/server/http/picture.ts'
import { requestOf } from '#payments/server/services/patient/view-pay.ts'

export default defineEndpoint({
  access: 'none',
  summary: 'The EPC QR code of a transfer, as a picture.',
  problems: ['pay_link_not_found', 'not_found'],
  handle: async ({ params: { token = '' } }, ctx) => pictureOf(ctx, await requestOf(ctx, token))
})
