import { defineEndpoint, reply } from '@svc/kit'
import { fileName, notThere } from '#budget/server/http/documents.ts'
import { at } from '#budget/server/http/staff.ts'
import { downloadEvidence } from '#budget/server/services/proof/evidence/download-evidence.ts'
import { getStaffBudget } from '#budget/server/services/budget/get-staff-budget.ts'

export default defineEndpoint({
  access: { permission: 'budget.read' },
  summary: 'Get the evidence of an acceptance as a ZIP that can be checked without the service.',
  problems: notThere,
  async handle({ request }, ctx) {
    const budget = await getStaffBudget(ctx.db, at(request))
    const bytes = await downloadEvidence(ctx, {
      budget,
      user_id: request.actor.user_id,
      client: request.client,
      no_effect: request.head
    })
    return reply({
      body: bytes,
      headers: {
        'Content-Type': 'application/zip',
        'Content-Disposition': `attachment; filename="${fileName(budget, '-evidence', 'zip')}"`
      }
    })
  }
})
