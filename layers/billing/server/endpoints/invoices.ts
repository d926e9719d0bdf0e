import { defineEndpoint, etagOf, page, reply, type StaffRequest } from '@svc/kit'
import * as z from 'zod'
import { CancelInvoiceRequest, Invoice, InvoicePdfQuery, InvoiceQuery, InvoiceRow, PaymentRequest } from '../../shared/contract.ts'
import { cancelInvoice } from '../services/cancel-invoice.ts'
import { getInvoice, type Detail } from '../services/get-invoice.ts'
import { issueInvoice } from '../services/issue-invoice.ts'
import { listInvoices } from '../services/list-invoices.ts'
import { recordPayment } from '../services/record-payment.ts'
import { renderInvoicePdf } from '../services/render-invoice-pdf.ts'

const base = '/billing/invoices'
const read = { permission: 'billing.read' }
const write = { permission: 'billing.write' }

const at = ({ actor, params }: StaffRequest) => ({ clinic_id: actor.clinic_id, id: params.id! })
const by = (request: StaffRequest) => ({ ...at(request), user_id: request.actor.user_id })
const ifMatch = ({ headers }: StaffRequest) => ({ if_match: headers['if-match'] })
const answer = ({ invoice, edit }: Detail, status = 200) => reply({ status, headers: { ETag: etagOf(edit) }, data: invoice })

export const invoiceEndpoints = [
  defineEndpoint({
    method: 'get',
    path: base,
    access: read,
    summary: 'Invoices of the clinic, with how many there are in each state.',
    query: InvoiceQuery,
    response: z.array(InvoiceRow),
    async handle({ query, request }: { query: InvoiceQuery, request: StaffRequest }, ctx) {
      const { rows, ...counted } = await listInvoices(ctx, { clinic_id: request.actor.clinic_id, ...query })
      return page(rows, { ...counted, page: query.page, page_size: query.page_size })
    }
  }),
  defineEndpoint({
    method: 'get',
    path: `${base}/:id`,
    access: read,
    summary: 'One invoice with its lines, taxes and payments.',
    response: Invoice,
    handle: async ({ request }, ctx) => answer(await getInvoice(ctx, at(request)))
  }),
  defineEndpoint({
    method: 'post',
    path: `${base}/:id/issue`,
    access: write,
    summary: 'Gives a draft the next number of the year; from then on it cannot be changed.',
    response: Invoice,
    problems: ['wrong_state', 'precondition_failed', 'patient_erased'],
    handle: async ({ request }, ctx) => answer(await issueInvoice(ctx, { ...by(request), ...ifMatch(request) }))
  }),
  defineEndpoint({
    method: 'post',
    path: `${base}/:id/payments`,
    access: write,
    summary: 'Records a payment of an issued invoice; it is paid when nothing is due any more.',
    body: PaymentRequest,
    response: Invoice,
    status: 201,
    problems: ['wrong_state', 'over_payment', 'payment_id_used'],
    handle: async ({ body, request }, ctx) => answer(await recordPayment(ctx, { ...by(request), payment: body }), 201)
  }),
  defineEndpoint({
    method: 'post',
    path: `${base}/:id/cancel`,
    access: write,
    summary: 'Cancels a draft, or an issued invoice without payments, which keeps its number.',
    body: CancelInvoiceRequest,
    response: Invoice,
    problems: ['wrong_state', 'precondition_failed'],
    handle: async ({ body, request }, ctx) => answer(await cancelInvoice(ctx, { ...by(request), ...ifMatch(request), ...body }))
  }),
  defineEndpoint({
    method: 'get',
    path: `${base}/:id/pdf`,
    access: read,
    summary: 'The invoice as a PDF, for the screen; that of a draft says so.',
    query: InvoicePdfQuery,
    problems: ['busy'],
    async handle({ query, request }, ctx) {
      const { bytes, name } = await renderInvoicePdf(ctx, { ...at(request), ...query })
      return reply({ body: bytes, headers: { 'Content-Type': 'application/pdf', 'Content-Disposition': `inline; filename="${name}"` } })
    }
  })
]
