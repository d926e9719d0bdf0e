import { defineEndpoint } from '@svc/kit'
import { at, undecidableInClinic } from '#budget/server/http/staff.ts'
import { handOver } from '#budget/server/services/hand-over/hand-over.ts'
import { HandOverAnswer } from '#budget/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'budget.write' },
  people_only: true,
  summary: 'Hand the budget over to another device in the clinic: digits and an address that open it there, once.',
  status: 201,
  response: HandOverAnswer,
  shown_once: ['code', 'url'],
  problems: [...undecidableInClinic, 'patient_erased'],
  handle: ({ request }, ctx) => {
    const { actor } = request
    return handOver(ctx, { ...at(request), user_id: actor.user_id, session_mark: actor.session_mark })
  }
})
