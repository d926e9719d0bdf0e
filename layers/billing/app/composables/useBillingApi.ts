import * as z from 'zod'
import {
  Advance,
  AdvanceRow,
  BudgetBilling,
  Invoice,
  InvoiceRow,
  type AdvanceRequest,
  type CancelInvoiceRequest,
  type CreditRequest,
  type InvoiceQuery,
  type IssueRequest,
  type ReversePaymentRequest,
  type PaymentRequest,
  type ReturnRequest,
  type SplitRequest
} from '../../shared/contract.ts'

const INVOICES = '/api/v1/billing/invoices'
const ADVANCES = '/api/v1/billing/advances'
const BUDGETS = '/api/v1/billing/budgets'

/** The filter as it is in the URL: all values are optional texts, which the server checks. */
export type InvoiceFilter = Partial<Record<Exclude<keyof InvoiceQuery, 'status' | 'page' | 'page_size'>, string>> & {
  status?: string[]
  page?: number
  page_size?: number
}

/** The module's API, typed by its contract. */
export function useBillingApi() {
  const api = useApi()
  const at = (id: string, action = '') => `${INVOICES}/${encodeURIComponent(id)}${action}`
  return {
    /** `meta` has the `total`, and `counts` by status. */
    listInvoices: (query: InvoiceFilter, signal?: AbortSignal) =>
      api.get(INVOICES, { query, signal, answer: z.array(InvoiceRow) }),
    getInvoice: (id: string, signal?: AbortSignal) => api.get(at(id), { signal, answer: Invoice }),
    issueInvoice: (id: string, body: IssueRequest, if_match: string | null) =>
      api.post(at(id, '/issue'), { body, if_match, answer: Invoice }),
    recordPayment: (id: string, body: PaymentRequest) => api.post(at(id, '/payments'), { body, answer: Invoice }),
    reversePayment: (id: string, payment_id: string, body: ReversePaymentRequest) =>
      api.post(at(id, `/payments/${encodeURIComponent(payment_id)}/reverse`), { body, answer: Invoice }),
    cancelInvoice: (id: string, body: CancelInvoiceRequest, if_match: string | null) =>
      api.post(at(id, '/cancel'), { body, if_match, answer: Invoice }),
    /** Returns the draft of the credit note. */
    creditInvoice: (id: string, body: CreditRequest, if_match: string | null) =>
      api.post(at(id, '/credit'), { body, if_match, answer: Invoice }),
    /** Returns the new draft. */
    splitInvoice: (id: string, body: SplitRequest, if_match: string | null) =>
      api.post(at(id, '/split'), { body, if_match, answer: Invoice }),
    /** What is invoiced of a budget, and what is open. */
    getBilling: (budget_id: string, signal?: AbortSignal) =>
      api.get(`${BUDGETS}/${encodeURIComponent(budget_id)}`, { signal, answer: BudgetBilling }),
    /** Returns the draft of exactly what is done. */
    invoiceDone: (budget_id: string) =>
      api.post(`${BUDGETS}/${encodeURIComponent(budget_id)}/invoice-done`, { answer: Invoice }),
    /** A URL for a plain link, since the browser sends the session cookie. */
    pdfUrl: (id: string) => at(id, '/pdf'),
    listAdvances: (query: { budget_id: string, page_size: number }, signal?: AbortSignal) =>
      api.get(ADVANCES, { query, signal, answer: z.array(AdvanceRow) }),
    recordAdvance: (body: AdvanceRequest) => api.post(ADVANCES, { body, answer: Advance }),
    returnAdvance: (id: string, body: ReturnRequest) =>
      api.post(`${ADVANCES}/${encodeURIComponent(id)}/reverse`, { body, answer: Advance }),
    receiptUrl: (id: string) => `${ADVANCES}/${encodeURIComponent(id)}/pdf`
  }
}
