import { defineEndpoint } from '@svc/kit'
import { by } from '#budget/server/http/staff.ts'
import { unlockPublic } from '#budget/server/services/link/unlock-public.ts'
import { LinkState, UnlockRequest } from '#budget/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'budget.write' },
  people_only: true,
  summary: 'Unlock the link after wrong codes.',
  body: UnlockRequest,
  response: LinkState,
  problems: ['patient_erased'],
  handle: ({ body, request }, ctx) => unlockPublic(ctx, { ...by(request), actor: request.actor, ...body })
})
