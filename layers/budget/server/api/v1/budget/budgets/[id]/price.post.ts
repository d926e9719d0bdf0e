import { defineEndpoint } from '@svc/kit'
import { at, unacceptableInClinic } from '#budget/server/http/staff.ts'
import { priceByStaff } from '#budget/server/services/decision/price-selection.ts'
import { PriceAnswer, PriceRequest, ReaderQuery } from '#budget/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'budget.read' },
  summary: 'Price a selection of options, complete or not, of a draft too. Nothing is kept.',
  query: ReaderQuery,
  body: PriceRequest,
  response: PriceAnswer,
  problems: unacceptableInClinic,
  handle: ({ query, body, request }, ctx) =>
    priceByStaff(ctx, { ...at(request), selection: body.selection, locale: query.locale })
})
