import { defineEndpoint, type StaffRequest } from '@svc/kit'
import { listWays } from '#budget/server/services/link/channel/list-channels.ts'
import { ChannelsAnswer, ChannelsQuery } from '#budget/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'budget.read' },
  summary: 'The channels by which a link can be sent, and why one is not ready. With `budget_id`: for its patient.',
  query: ChannelsQuery,
  response: ChannelsAnswer,
  problems: ['not_found'],
  handle({ query, request }, ctx) {
    const { actor } = request as StaffRequest
    return listWays(ctx, { ...query, clinic_id: actor.clinic_id, is_program: actor.via === 'token' })
  }
})
