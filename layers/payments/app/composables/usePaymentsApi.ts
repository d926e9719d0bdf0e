import * as z from 'zod'
import {
  AttentionAnswer,
  PaymentRequest,
  RequestRow,
  TestAnswer,
  type CancelRequest,
  type ClearRequest,
  type MarkPaidRequest,
  type NewRequest,
  type RefundRequest,
  type RequestQuery
} from '../../shared/contract.ts'

const BASE = '/api/v1/payments'

/** The filter as it is in the URL: all values are optional texts, which the server checks. */
export type PaymentFilter
  = Partial<Record<Exclude<keyof RequestQuery, 'state' | 'page' | 'page_size'>, string>> & {
    state?: string[]
    page?: number
    page_size?: number
  }

/** What the dialog “Request payment” needs of an invoice, by the API of billing. */
const DueInvoice = z.object({ status: z.string(), due: z.string(), currency: z.string() })
export type DueInvoice = z.infer<typeof DueInvoice>

/** The module's API, typed by its contract. */
export function usePaymentsApi() {
  const api = useApi()
  const at = (id: string, action = '') => `${BASE}/requests/${encodeURIComponent(id)}${action}`
  return {
    /** `meta` has the `total`, and `counts` by state. */
    listRequests: (query: PaymentFilter, signal?: AbortSignal) =>
      api.get(`${BASE}/requests`, { query, signal, answer: z.array(RequestRow) }),
    getRequest: (id: string, signal?: AbortSignal) => api.get(at(id), { signal, answer: PaymentRequest }),
    requestPayment: (body: NewRequest) => api.post(`${BASE}/requests`, { body, answer: PaymentRequest }),
    cancelRequest: (id: string, body: CancelRequest) => api.post(at(id, '/cancel'), { body, answer: PaymentRequest }),
    markPaid: (id: string, body: MarkPaidRequest) => api.post(at(id, '/paid'), { body, answer: PaymentRequest }),
    refund: (id: string, body: RefundRequest) => api.post(at(id, '/refund'), { body, answer: PaymentRequest }),
    sendLink: (id: string) => api.post(at(id, '/mail'), { answer: PaymentRequest }),
    clearAttention: (id: string, body: ClearRequest) =>
      api.post(at(id, '/attention/clear'), { body, answer: PaymentRequest }),
    listAttention: (signal?: AbortSignal) => api.get(`${BASE}/attention`, { signal, answer: AttentionAnswer }),
    testConnection: () => api.post(`${BASE}/test`, { answer: TestAnswer }),
    getInvoice: (id: string, signal?: AbortSignal) =>
      api.get(`/api/v1/billing/invoices/${encodeURIComponent(id)}`, { signal, answer: DueInvoice })
  }
}
