import { defineEndpoint } from '@svc/kit'
import { budgetAt } from '#billing/server/http/invoices.ts'
import { showBilling } from '#billing/server/services/parts/show-billing.ts'
import { BudgetBilling } from '#billing/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'billing.read' },
  summary: 'What is invoiced of a budget, and what is open.',
  response: BudgetBilling,
  handle: ({ request }, ctx) => showBilling(ctx, budgetAt(request))
})
