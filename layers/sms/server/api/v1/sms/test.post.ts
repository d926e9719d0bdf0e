import { defineEndpoint } from '@svc/kit'
import { testProvider } from '#sms/server/services/test-provider.ts'
import { TestRequest, TestResult } from '#sms/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'sms.manage' },
  summary: 'Test the connection to the provider, or with a number send a test message.',
  limit: {
    name: 'tests', points: 30, seconds: 3600, by: ({ actor }) => `${actor!.clinic_id}`, counts: 'requests'
  },
  body: TestRequest,
  response: TestResult,
  handle: ({ body, request: { actor, client } }, ctx) =>
    testProvider(ctx, { ...body, clinic_id: actor.clinic_id, who: { actor, client } })
})
