import type {
  AcceptAnswer,
  AcceptRequest,
  LinkMeta,
  LinkView,
  PatientMessage,
  PriceAnswer,
  PriceRequest,
  RejectAnswer,
  RejectRequest,
  SendCodeAnswer
} from '../../../shared/contract.ts'
import { call } from '../../utils/call.ts'

/** The public API of one link, typed by the module's contract. For the browser only. Its calls never throw. */
export function useBudgetLink(token: string) {
  const { locale } = useI18n()
  const base = budgetLinkPath(token)
  const query = () => ({ locale: locale.value })

  return {
    meta: () => call<LinkMeta>(`${base}/meta`),
    verify: (code: string) => call<unknown>(`${base}/verify`, { method: 'POST', body: { code } }),
    sendCode: (channel: string) => call<SendCodeAnswer>(`${base}/codes`, { method: 'POST', body: { channel } }),
    view: () => call<LinkView>(base, { query: query() }),
    price: (body: PriceRequest) => call<PriceAnswer>(`${base}/price`, { method: 'POST', body, query: query() }),
    accept: (body: AcceptRequest) => call<AcceptAnswer>(`${base}/accept`, { method: 'POST', body, query: query() }),
    reject: (body: RejectRequest) => call<RejectAnswer>(`${base}/reject`, { method: 'POST', body, query: query() }),
    messages: () => call<PatientMessage[]>(`${base}/messages`),
    ask: (text: string) => call<PatientMessage>(`${base}/messages`, { method: 'POST', body: { text } }),
    close: () => call<undefined>(`${base}/session`, { method: 'DELETE' }),
    pdf: computed(() => `${base}/pdf?locale=${locale.value}`),
    signedPdf: `${base}/pdf/signed`
  }
}

export const budgetLinkPath = (token: string) => `/api/v1/public/budgets/${encodeURIComponent(token)}`
