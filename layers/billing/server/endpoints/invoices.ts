import { defineEndpoint, page, type StaffRequest } from '@svc/kit'
import { z } from 'zod'
import { Invoice, InvoiceQuery, InvoiceRow } from '../../shared/contract.ts'
import { getInvoice } from '../services/get-invoice.ts'
import { listInvoices } from '../services/list-invoices.ts'

const base = '/billing/invoices'
const access = { permission: 'billing.read' }

export const invoiceEndpoints = [
  defineEndpoint({
    method: 'get',
    path: base,
    access,
    summary: 'Invoices of the clinic, newest first.',
    query: InvoiceQuery,
    response: z.array(InvoiceRow),
    async handle({ query, request }: { query: InvoiceQuery, request: StaffRequest }, ctx) {
      const { rows, total } = await listInvoices(ctx, { clinic_id: request.actor.clinic_id, ...query })
      return page(rows, { total, page: query.page, page_size: query.page_size })
    }
  }),
  defineEndpoint({
    method: 'get',
    path: `${base}/:id`,
    access,
    summary: 'One invoice with its lines.',
    response: Invoice,
    handle: ({ params, request }, ctx) => getInvoice(ctx, { clinic_id: request.actor.clinic_id, id: params.id! })
  })
]
