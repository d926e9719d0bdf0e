import { defineEndpoint, reply } from '@svc/kit'
import { at } from '#billing/server/http/invoices.ts'
import { renderInvoicePdf } from '#billing/server/services/render-invoice-pdf.ts'
import { InvoicePdfQuery } from '#billing/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'billing.read' },
  summary: 'Get the invoice as a PDF. The PDF of a draft says so.',
  query: InvoicePdfQuery,
  problems: ['busy'],
  async handle({ query, request }, ctx) {
    const { bytes, name } = await renderInvoicePdf(ctx, { ...at(request), ...query })
    return reply({
      body: bytes,
      headers: { 'Content-Type': 'application/pdf', 'Content-Disposition': `inline; filename="${name}"` }
    })
  }
})
