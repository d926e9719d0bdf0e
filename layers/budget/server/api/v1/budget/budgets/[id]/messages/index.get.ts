import { defineEndpoint } from '@svc/kit'
import * as z from 'zod'
import { at } from '#budget/server/http/staff.ts'
import { listForStaff } from '#budget/server/services/messages/list-messages.ts'
import { StaffMessage } from '#budget/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'budget.read' },
  summary: 'List what patient and clinic wrote to each other about all versions of the number, oldest first.',
  response: z.array(StaffMessage),
  handle: ({ request }, ctx) => listForStaff(ctx, at(request))
})
