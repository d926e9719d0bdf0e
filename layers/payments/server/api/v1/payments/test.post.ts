import { defineEndpoint } from '@svc/kit'
import { testConnection } from '#payments/server/services/test-connection.ts'
import { TestAnswer } from '#payments/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'payments.write' },
  people_only: true,
  summary: 'Test the connection to the payment provider, with the saved settings.',
  limit: { name: 'test', points: 20, seconds: 600, by: 'address', counts: 'requests' },
  response: TestAnswer,
  handle: ({ request }, ctx) => testConnection(ctx, request.actor.clinic_id)
})
