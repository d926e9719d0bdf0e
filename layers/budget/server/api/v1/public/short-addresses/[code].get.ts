import { defineEndpoint } from '@svc/kit'
import { wrongShortAddresses } from '#budget/server/http/patient.ts'
import { openShortAddress } from '#budget/server/services/short-address/open-short-address.ts'
import { ShortAddress } from '#budget/shared/contract.ts'

export default defineEndpoint({
  access: 'none',
  limit: wrongShortAddresses,
  summary: 'Get the page that a short address leads to.',
  response: ShortAddress,
  problems: ['link_not_found'],
  handle: ({ params, request }, ctx) =>
    openShortAddress(ctx, { code: params.code!, countFailure: request.countFailure })
})
