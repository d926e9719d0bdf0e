import * as z from 'zod'
import {
  AcceptAnswer,
  AccessLogRow,
  AttentionAnswer,
  BudgetDetail,
  ChannelsAnswer,
  HandOverAnswer,
  LinkState,
  ListRow,
  PatientView,
  PriceAnswer,
  RejectAnswer,
  ResendAnswer,
  SendAnswer,
  SetCodeAnswer,
  SignatureRecord,
  StaffMessage,
  type AcceptRequest,
  type AnswerRequest,
  type CancelRequest,
  type ChangeRequest,
  type CreateRequest,
  type DoneRequest,
  type ListQuery,
  type Locale,
  type PriceRequest,
  type MarkReadRequest,
  type RejectRequest,
  type ResendRequest,
  type SendRequest,
  type WithdrawRequest
} from '../../shared/contract.ts'

const BUDGETS = '/api/v1/budget/budgets'

/** The filter as it is in the URL: all values are optional texts, which the server checks. */
type BudgetFilter = Partial<Record<Exclude<keyof ListQuery, 'status' | 'page' | 'page_size'>, string>> & {
  status?: string[]
  page?: number
  page_size?: number
}

/** The staff's part of the module's API, typed by its contract. */
export function useBudgetApi() {
  const api = useApi()
  const at = (id: string, action = '') => `${BUDGETS}/${encodeURIComponent(id)}${action}`
  return {
    /** `meta` has `total`, `total_is_exact`, and `counts` by status. */
    listBudgets: (query: BudgetFilter, signal?: AbortSignal) =>
      api.get(BUDGETS, { query, signal, answer: z.array(ListRow) }),
    listAttention: (signal?: AbortSignal) => api.get('/api/v1/budget/attention', { signal, answer: AttentionAnswer }),

    /** `etag` is the `if_match` of `changeBudget`. */
    getBudget: (id: string, signal?: AbortSignal) => api.get(at(id), { signal, answer: BudgetDetail }),
    createBudget: (body: CreateRequest) => api.post(BUDGETS, { body, answer: BudgetDetail }),
    changeBudget: (id: string, body: ChangeRequest, if_match: string | null) =>
      api.patch(at(id), { body, if_match, answer: BudgetDetail }),
    removeBudget: (id: string) => api.remove(at(id)),
    cancelBudget: (id: string, body: CancelRequest) => api.post(at(id, '/cancel'), { body, answer: BudgetDetail }),
    reviseBudget: (id: string) => api.post(at(id, '/revise'), { answer: BudgetDetail }),
    duplicateBudget: (id: string) => api.post(at(id, '/duplicate'), { answer: BudgetDetail }),

    /** For a budget: for its patient, with their address. */
    listChannels: (query: { budget_id?: string, locale: string }, signal?: AbortSignal) =>
      api.get('/api/v1/budget/channels', { query, signal, answer: ChannelsAnswer }),
    sendBudget: (id: string, body: SendRequest) => api.post(at(id, '/send'), { body, answer: SendAnswer }),
    resendLink: (id: string, body: ResendRequest) => api.post(at(id, '/resend'), { body, answer: ResendAnswer }),
    setPublicCode: (id: string, body: { code: string } | { generate: true }) =>
      api.post(at(id, '/set-public-code'), { body, answer: SetCodeAnswer }),
    unlockPublic: (id: string, reason: string | null = null) =>
      api.post(at(id, '/unlock-public'), { body: { reason }, answer: LinkState }),

    /** Returns a code and a URL for another device. */
    handOver: (id: string) => api.post(at(id, '/hand-over'), { answer: HandOverAnswer }),
    acceptInClinic: (id: string, body: AcceptRequest, locale?: Locale) =>
      api.post(at(id, '/accept-in-clinic'), { query: { locale }, body, answer: AcceptAnswer }),
    rejectInClinic: (id: string, body: RejectRequest, locale?: Locale) =>
      api.post(at(id, '/reject-in-clinic'), { query: { locale }, body, answer: RejectAnswer }),

    withdrawBudget: (id: string, body: WithdrawRequest) =>
      api.post(at(id, '/withdraw'), { body, answer: BudgetDetail }),

    recordDone: (id: string, body: DoneRequest) => api.post(at(id, '/done'), { body, answer: BudgetDetail }),

    listMessages: (id: string, signal?: AbortSignal) =>
      api.get(at(id, '/messages'), { signal, answer: z.array(StaffMessage) }),
    answerQuestion: (id: string, body: AnswerRequest) => api.post(at(id, '/messages'), { body, answer: StaffMessage }),
    markMessagesRead: (id: string, body: MarkReadRequest) => api.post(at(id, '/messages/read'), { body }),

    previewBudget: (id: string, locale?: Locale, signal?: AbortSignal) =>
      api.get(at(id, '/preview'), { query: { locale }, signal, answer: PatientView }),
    /** Returns the patient's price for a selection. */
    priceSelection: (id: string, body: PriceRequest, locale?: Locale) =>
      api.post(at(id, '/price'), { query: { locale }, body, answer: PriceAnswer }),
    getSignature: (id: string, signal?: AbortSignal) =>
      api.get(at(id, '/signature'), { signal, answer: SignatureRecord }),
    listAccessLog: (id: string, query: { page?: number, page_size?: number } = {}, signal?: AbortSignal) =>
      api.get(at(id, '/access-log'), { query, signal, answer: z.array(AccessLogRow) }),

    /** URLs for plain links, since the browser sends the session cookie. */
    pdfUrl: (id: string) => at(id, '/pdf'),
    signedPdfUrl: (id: string) => at(id, '/pdf/signed'),
    /** Not a plain link, because it takes a moment to create and can fail. */
    getEvidence: (id: string) => api.get<Blob>(at(id, '/evidence'), { file: true })
  }
}
