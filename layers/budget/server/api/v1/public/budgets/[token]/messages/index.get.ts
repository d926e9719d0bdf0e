import { defineEndpoint } from '@svc/kit'
import * as z from 'zod'
import { needsSession } from '#budget/server/http/patient.ts'
import { linkSession, toPage } from '#budget/server/services/link/find-link.ts'
import { listForPatient } from '#budget/server/services/messages/list-messages.ts'
import { PatientMessage } from '#budget/shared/contract.ts'

export default defineEndpoint({
  access: linkSession,
  summary: 'List what patient and clinic wrote to each other about this budget, oldest first.',
  response: z.array(PatientMessage),
  also: toPage,
  problems: needsSession,
  handle: ({ request }, ctx) => listForPatient(ctx, request.session.budget)
})
