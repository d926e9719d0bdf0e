import { defineEndpoint } from '@svc/kit'
import { needsSession, prices, unacceptable } from '#budget/server/http/patient.ts'
import { priceByLink } from '#budget/server/services/decision/price-selection.ts'
import { readingSession } from '#budget/server/services/link/find-link.ts'
import { PriceAnswer, PriceRequest, ReaderQuery } from '#budget/shared/contract.ts'

export default defineEndpoint({
  access: readingSession,
  limit: prices,
  summary: 'Price a selection of options, complete or not. Nothing is kept.',
  query: ReaderQuery,
  body: PriceRequest,
  response: PriceAnswer,
  problems: [...needsSession, ...unacceptable],
  handle: ({ query, body, request }, ctx) =>
    priceByLink(ctx, {
      session: request.session,
      client: request.client,
      selection: body.selection,
      locale: query.locale
    })
})
