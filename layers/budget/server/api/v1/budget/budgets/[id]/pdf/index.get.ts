import { defineEndpoint } from '@svc/kit'
import { byStaff, fileName, pdf } from '#budget/server/http/documents.ts'
import { at } from '#budget/server/http/staff.ts'
import { downloadBudgetPdf } from '#budget/server/services/document/download-budget-pdf.ts'
import { hasNoEffect } from '#budget/server/services/link/find-link.ts'
import { getStaffBudget } from '#budget/server/services/budget/get-staff-budget.ts'
import { ReaderQuery } from '#budget/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'budget.read' },
  summary: 'Get the unsigned PDF.',
  query: ReaderQuery,
  problems: ['content_tampered', 'busy', 'clauses_failed', 'too_many_clauses'],
  async handle({ query, request }, ctx) {
    const budget = await getStaffBudget(ctx.db, at(request))
    const bytes = await downloadBudgetPdf(ctx, {
      budget,
      now: await ctx.clock.now(),
      locale: query.locale,
      ...byStaff(request),
      no_effect: hasNoEffect(request)
    })
    return pdf(bytes, `inline; filename="${fileName(budget)}"`)
  }
})
