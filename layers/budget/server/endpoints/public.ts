import { defineEndpoint, reply, type Limit, type ModuleRequest } from '@svc/kit'
import { AcceptAnswer, AcceptRequest, LinkMeta, PatientView, ReaderQuery, RejectAnswer, RejectRequest, VerifyAnswer, VerifyRequest } from '../../shared/contract.ts'
import { cookiePath, tokenHash } from '../domain/link-token.ts'
import { acceptBudget } from '../services/accept-budget.ts'
import { closeSession } from '../services/close-session.ts'
import { COOKIE, hasNoEffect, linkSession, readingSession, toPage, type LinkSession } from '../services/find-link.ts'
import { linkMeta } from '../services/link-meta.ts'
import { rejectBudget } from '../services/reject-budget.ts'
import { verifyCode } from '../services/verify-code.ts'
import { viewBudgetByLink } from '../services/view-budget-by-link.ts'

const base = '/public/budgets/:token'
const needsSession = ['link_not_found', 'code_required']
const undecidable = ['content_tampered', 'already_decided', 'budget_expired', 'budget_superseded', 'budget_cancelled']

const HOUR = 60 * 60
/** Wrong codes only: ten right ones in a row are fine. The counter's key holds no token. */
const wrongCodes: Limit[] = [
  {
    name: 'verify-link',
    points: 20,
    seconds: HOUR,
    by: ({ client, params }) => `${client.ip_key} ${tokenHash(params.token ?? '').toString('base64url')}`,
    counts: 'failures'
  },
  { name: 'verify-address', points: 200, seconds: HOUR, by: 'address', counts: 'failures' }
]

type PatientRequest = ModuleRequest<LinkSession>

const patient = ({ session, client }: PatientRequest) => ({ by: { via: 'remote_link' as const, session }, client })
const cookie = (token: string, value: string) => ({ name: COOKIE, value, path: cookiePath(token), http_only: true, same_site: 'strict' as const })

export const publicEndpoints = [
  defineEndpoint({
    method: 'get',
    path: `${base}/meta`,
    access: 'none',
    summary: 'What anybody with the link may know: whether it is open, locked or closed, and the clinic.',
    response: LinkMeta,
    problems: ['link_not_found'],
    async handle({ params }, ctx) {
      const { meta, accent_color } = await linkMeta(ctx, { token: params.token! })
      return reply({ data: meta, headers: accent_color ? { 'accent-color': accent_color } : {} })
    }
  }),
  defineEndpoint({
    method: 'post',
    path: `${base}/verify`,
    access: 'none',
    limit: wrongCodes,
    summary: 'Exchanges the code for a session of this link, in a cookie.',
    body: VerifyRequest,
    response: VerifyAnswer,
    problems: ['link_not_found', 'code_wrong', 'link_locked'],
    async handle({ params, body, request }, ctx) {
      const { client, countFailure } = request as ModuleRequest
      const { value, session_expires_at } = await verifyCode(ctx, { token: params.token!, code: body.code, client, countFailure })
      return reply({ data: { session_expires_at }, cookies: [cookie(params.token!, value)] })
    }
  }),
  defineEndpoint({
    method: 'get',
    path: base,
    access: readingSession,
    summary: 'The budget as the patient sees it. The first read marks it as viewed.',
    query: ReaderQuery,
    response: PatientView,
    also: toPage,
    problems: [...needsSession, 'content_tampered'],
    handle: ({ query, request }, ctx) =>
      viewBudgetByLink(ctx, { session: request.session, client: request.client, locale: query.locale, no_effect: hasNoEffect(request) })
  }),
  defineEndpoint({
    method: 'post',
    path: `${base}/accept`,
    access: linkSession,
    summary: 'Accepts the budget, with a signature. The signed PDF is made afterwards.',
    query: ReaderQuery,
    body: AcceptRequest,
    response: AcceptAnswer,
    problems: [...needsSession, ...undecidable, 'content_changed'],
    handle: ({ query, body, request }, ctx) => acceptBudget(ctx, { ...body, ...patient(request), locale: query.locale })
  }),
  defineEndpoint({
    method: 'post',
    path: `${base}/reject`,
    access: linkSession,
    summary: 'Rejects the budget, with a reason.',
    query: ReaderQuery,
    body: RejectRequest,
    response: RejectAnswer,
    problems: [...needsSession, ...undecidable],
    handle: ({ query, body, request }, ctx) => rejectBudget(ctx, { ...body, ...patient(request), locale: query.locale })
  }),
  defineEndpoint({
    method: 'delete',
    path: `${base}/session`,
    access: linkSession,
    summary: 'Ends the session.',
    problems: needsSession,
    async handle({ params, request }, ctx) {
      await closeSession(ctx, request)
      return reply({ status: 204, cookies: [{ ...cookie(params.token!, ''), max_age: 0 }] })
    }
  })
]
