import { defineEndpoint, page, type StaffRequest } from '@svc/kit'
import * as z from 'zod'
import {
  AcceptAnswer, AcceptRequest, AccessLogRow, LinkState, LogQuery, PatientView, ReaderQuery, RejectAnswer, RejectRequest,
  ResendAnswer, ResendRequest, SendAnswer, SendRequest, SetCodeAnswer, SetCodeRequest, SignatureRecord, UnlockRequest
} from '../../shared/contract.ts'
import { acceptBudget } from '../services/accept-budget.ts'
import { getSignature } from '../services/get-signature.ts'
import { listAccessLog } from '../services/list-access-log.ts'
import { previewBudget } from '../services/preview-budget.ts'
import { rejectBudget } from '../services/reject-budget.ts'
import { resendLink } from '../services/resend-link.ts'
import { sendBudget } from '../services/send-budget.ts'
import { setPublicCode } from '../services/set-public-code.ts'
import { unlockPublic } from '../services/unlock-public.ts'

const base = '/budget/budgets/:id'
const read = { permission: 'budget.read' }
const write = { permission: 'budget.write' }
const undecidable = ['content_tampered', 'wrong_state', 'already_decided', 'budget_expired', 'budget_superseded', 'budget_cancelled']

const at = ({ actor, params }: StaffRequest) => ({ clinic_id: actor.clinic_id, id: params.id! })
const by = (request: StaffRequest) => ({ ...at(request), user_id: request.actor.user_id, client: request.client })
const witness = ({ actor, params, client }: StaffRequest) =>
  ({ by: { via: 'in_clinic' as const, clinic_id: actor.clinic_id, budget_id: params.id!, witness_id: actor.user_id }, client })

export const staffLinkEndpoints = [
  defineEndpoint({
    method: 'post',
    path: `${base}/send`,
    access: write,
    summary: 'Sends a draft: the link, and the code when it was generated now.',
    body: SendRequest,
    response: SendAnswer,
    problems: ['wrong_state', 'no_lines', 'no_professional', 'validity_passed', 'no_email', 'message_contains_code', 'content_tampered'],
    handle: ({ body, request }, ctx) => sendBudget(ctx, { ...by(request), ...body })
  }),
  defineEndpoint({
    method: 'post',
    path: `${base}/resend`,
    access: write,
    summary: 'Sends the message again, with the same link or a new one.',
    body: ResendRequest,
    response: ResendAnswer,
    problems: ['wrong_state', 'patient_erased', 'no_code', 'no_email'],
    handle: ({ body, request }, ctx) => resendLink(ctx, { ...by(request), ...body })
  }),
  defineEndpoint({
    method: 'post',
    path: `${base}/set-public-code`,
    access: write,
    summary: 'Sets or generates the code; open sessions of the link end.',
    body: SetCodeRequest,
    response: SetCodeAnswer,
    problems: ['wrong_state', 'patient_erased'],
    handle: ({ body, request }, ctx) => setPublicCode(ctx, { ...by(request), code: body.code })
  }),
  defineEndpoint({
    method: 'post',
    path: `${base}/unlock-public`,
    access: write,
    summary: 'Clears the lock after wrong codes.',
    body: UnlockRequest,
    response: LinkState,
    problems: ['patient_erased'],
    handle: ({ body, request }, ctx) => unlockPublic(ctx, { ...by(request), ...body })
  }),
  defineEndpoint({
    method: 'post',
    path: `${base}/accept-in-clinic`,
    access: write,
    summary: 'The patient accepts in the clinic; the caller is the witness.',
    query: ReaderQuery,
    body: AcceptRequest,
    response: AcceptAnswer,
    problems: [...undecidable, 'patient_erased', 'content_changed'],
    handle: ({ query, body, request }, ctx) => acceptBudget(ctx, { ...body, ...witness(request), locale: query.locale })
  }),
  defineEndpoint({
    method: 'post',
    path: `${base}/reject-in-clinic`,
    access: write,
    summary: 'The patient rejects in the clinic; the caller is the witness.',
    query: ReaderQuery,
    body: RejectRequest,
    response: RejectAnswer,
    problems: [...undecidable, 'patient_erased'],
    handle: ({ query, body, request }, ctx) => rejectBudget(ctx, { ...body, ...witness(request), locale: query.locale })
  }),
  defineEndpoint({
    method: 'get',
    path: `${base}/preview`,
    access: read,
    summary: 'What the patient would see, without any effect.',
    query: ReaderQuery,
    response: PatientView,
    problems: ['content_tampered'],
    handle: ({ query, request }, ctx) => previewBudget(ctx, { ...at(request), locale: query.locale })
  }),
  defineEndpoint({
    method: 'get',
    path: `${base}/access-log`,
    access: read,
    summary: 'Who did what with the link, newest first.',
    query: LogQuery,
    response: z.array(AccessLogRow),
    async handle({ query, request }: { query: z.infer<typeof LogQuery>, request: StaffRequest }, ctx) {
      const { rows, total } = await listAccessLog(ctx, { ...at(request), ...query })
      return page(rows, { total, page: query.page, page_size: query.page_size })
    }
  }),
  defineEndpoint({
    method: 'get',
    path: `${base}/signature`,
    access: read,
    summary: 'The signature record of the decision.',
    response: SignatureRecord,
    handle: ({ request }, ctx) => getSignature(ctx, at(request))
  })
]
