import { defineEndpoint } from '@svc/kit'
import { at } from '#budget/server/http/staff.ts'
import { previewBudget } from '#budget/server/services/link/preview-budget.ts'
import { PatientView, ReaderQuery } from '#budget/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'budget.read' },
  summary: 'Get what the patient would see, without any effect.',
  query: ReaderQuery,
  response: PatientView,
  problems: ['content_tampered', 'clauses_failed', 'too_many_clauses'],
  handle: ({ query, request }, ctx) => previewBudget(ctx, { ...at(request), locale: query.locale })
})
