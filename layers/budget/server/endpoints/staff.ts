import { defineEndpoint, etagOf, page, reply, type StaffRequest } from '@svc/kit'
import * as z from 'zod'
import { AttentionAnswer, BudgetDetail, CancelRequest, ChangeRequest, CreateRequest, ListQuery, ListRow } from '../../shared/contract.ts'
import { cancelBudget } from '../services/cancel-budget.ts'
import { createBudget } from '../services/create-budget.ts'
import { deleteBudget } from '../services/delete-budget.ts'
import { duplicateBudget } from '../services/duplicate-budget.ts'
import { detailOf, getBudget, type Detail } from '../services/get-budget.ts'
import { listAttention } from '../services/list-attention.ts'
import { listBudgets } from '../services/list-budgets.ts'
import { patchBudget } from '../services/patch-budget.ts'
import { reviseBudget } from '../services/revise-budget.ts'

const base = '/budget/budgets'
const read = { permission: 'budget.read' }
const write = { permission: 'budget.write' }

const at = ({ actor, params }: StaffRequest) => ({ clinic_id: actor.clinic_id, id: params.id! })
const by = (request: StaffRequest) => ({ ...at(request), user_id: request.actor.user_id })
const answer = ({ detail, edit }: Detail, status = 200) => reply({ status, headers: { ETag: etagOf(edit) }, data: detail })

export const staffEndpoints = [
  defineEndpoint({
    method: 'get',
    path: base,
    access: read,
    summary: 'Budgets of the clinic, with how many there are in each state.',
    query: ListQuery,
    response: z.array(ListRow),
    async handle({ query, request }: { query: ListQuery, request: StaffRequest }, ctx) {
      const { rows, ...counted } = await listBudgets(ctx, { clinic_id: request.actor.clinic_id, ...query })
      return page(rows, { ...counted, page: query.page, page_size: query.page_size })
    }
  }),
  defineEndpoint({
    method: 'get',
    path: '/budget/attention',
    access: read,
    summary: 'What the staff should look at: budgets that end soon, are locked, were not delivered, or whose signed PDF is late.',
    response: AttentionAnswer,
    handle: ({ request }, ctx) => listAttention(ctx, (request as StaffRequest).actor.clinic_id)
  }),
  defineEndpoint({
    method: 'post',
    path: base,
    access: write,
    summary: 'A new draft with the next number of the year.',
    body: CreateRequest,
    response: BudgetDetail,
    status: 201,
    problems: ['discount_exceeds_total'],
    async handle({ body, request }, ctx) {
      const { clinic_id, user_id } = (request as StaffRequest).actor
      return answer(await detailOf(ctx, await createBudget(ctx, { ...body, clinic_id, user_id })), 201)
    }
  }),
  defineEndpoint({
    method: 'get',
    path: `${base}/:id`,
    access: read,
    summary: 'One version of a budget: priced lines, totals, link, decision, versions.',
    response: BudgetDetail,
    handle: async ({ request }, ctx) => answer(await getBudget(ctx, at(request)))
  }),
  defineEndpoint({
    method: 'patch',
    path: `${base}/:id`,
    access: write,
    summary: 'Changes a draft; with If-Match only if it has not changed since.',
    body: ChangeRequest,
    response: BudgetDetail,
    problems: ['wrong_state', 'patient_erased', 'content_tampered', 'precondition_failed', 'discount_exceeds_total'],
    handle: async ({ body, request }, ctx) =>
      answer(await detailOf(ctx, await patchBudget(ctx, { ...at(request), if_match: request.headers['if-match'], change: body })))
  }),
  defineEndpoint({
    method: 'delete',
    path: `${base}/:id`,
    access: write,
    summary: 'Deletes a draft; its number stays unused.',
    problems: ['wrong_state', 'patient_erased', 'content_tampered'],
    handle: async ({ request }, ctx) => await deleteBudget(ctx, by(request))
  }),
  defineEndpoint({
    method: 'post',
    path: `${base}/:id/cancel`,
    access: write,
    summary: 'Cancels a draft or a sent version.',
    body: CancelRequest,
    response: BudgetDetail,
    problems: ['wrong_state', 'patient_erased', 'content_tampered'],
    handle: async ({ body, request }, ctx) => answer(await detailOf(ctx, await cancelBudget(ctx, { ...by(request), ...body })))
  }),
  defineEndpoint({
    method: 'post',
    path: `${base}/:id/revise`,
    access: write,
    summary: 'The next version as a draft; this one stays open until that is sent.',
    response: BudgetDetail,
    status: 201,
    problems: ['wrong_state', 'patient_erased'],
    handle: async ({ request }, ctx) => answer(await detailOf(ctx, await reviseBudget(ctx, by(request))), 201)
  }),
  defineEndpoint({
    method: 'post',
    path: `${base}/:id/duplicate`,
    access: write,
    summary: 'A new draft with a number of its own and the same lines.',
    response: BudgetDetail,
    status: 201,
    problems: ['patient_erased'],
    handle: async ({ request }, ctx) => answer(await detailOf(ctx, await duplicateBudget(ctx, by(request))), 201)
  })
]
