import { defineEndpoint } from '@svc/kit'
import { showStatus } from '#sms/server/services/show-status.ts'
import { Status } from '#sms/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'sms.manage' },
  people_only: true, // the address for reports is a secret
  summary: 'Addresses for the provider, messages of today, and whether the provider answers.',
  response: Status,
  handle: ({ request: { actor } }, ctx) => showStatus(ctx, actor.clinic_id)
})
