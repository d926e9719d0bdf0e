import { defineEndpoint } from '@svc/kit'
import { byStaff, notThere, signedPdf } from '#budget/server/http/documents.ts'
import { at } from '#budget/server/http/staff.ts'
import { downloadSignedPdf } from '#budget/server/services/document/download-signed-pdf.ts'
import { getStaffBudget } from '#budget/server/services/budget/get-staff-budget.ts'

export default defineEndpoint({
  access: { permission: 'budget.read' },
  summary: 'Get the signed PDF as it was stored.',
  problems: notThere,
  async handle({ request }, ctx) {
    const budget = await getStaffBudget(ctx.db, at(request))
    return signedPdf(
      await downloadSignedPdf(ctx, {
        budget,
        now: await ctx.clock.now(),
        downloads: null,
        ...byStaff(request),
        no_effect: request.head
      }),
      budget
    )
  }
})
