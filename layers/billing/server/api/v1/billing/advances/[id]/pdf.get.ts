import { defineEndpoint, reply } from '@svc/kit'
import { at } from '#billing/server/http/invoices.ts'
import { renderReceipt } from '#billing/server/services/advances/draw-receipt.ts'
import { InvoicePdfQuery } from '#billing/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'billing.read' },
  summary: 'Get the receipt of an advance as a PDF.',
  query: InvoicePdfQuery,
  problems: ['busy'],
  async handle({ query, request }, ctx) {
    const { bytes, name } = await renderReceipt(ctx, { ...at(request), ...query })
    return reply({
      body: bytes,
      headers: { 'Content-Type': 'application/pdf', 'Content-Disposition': `inline; filename="${name}"` }
    })
  }
})
