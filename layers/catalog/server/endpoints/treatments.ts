import { defineEndpoint, etagOf, page, reply, type StaffRequest } from '@svc/kit'
import * as z from 'zod'
import { Category, Treatment, TreatmentChange, TreatmentQuery, TreatmentRequest } from '../../shared/contract.ts'
import { selectCategories } from '../db/treatments.ts'
import { changeTreatment } from '../services/change-treatment.ts'
import { createTreatment, type Versioned } from '../services/create-treatment.ts'
import { getTreatment } from '../services/get-treatment.ts'
import { listTreatments } from '../services/list-treatments.ts'

const base = '/catalog/treatments'
const answer = ({ version, treatment }: Versioned, status = 200) => reply({ status, headers: { ETag: etagOf(version) }, data: treatment })

export const treatmentEndpoints = [
  defineEndpoint({
    method: 'get',
    path: base,
    access: { permission: 'catalog.read' },
    summary: 'Treatments of the clinic by code; search looks at the beginnings of words in code and names.',
    query: TreatmentQuery,
    response: z.array(Treatment),
    async handle({ query, request }: { query: TreatmentQuery, request: StaffRequest }, ctx) {
      const { rows, total } = await listTreatments(ctx, { clinic_id: request.actor.clinic_id, ...query })
      return page(rows, { total, page: query.page, page_size: query.page_size })
    }
  }),
  defineEndpoint({
    method: 'post',
    path: base,
    access: { permission: 'catalog.write' },
    summary: 'A new treatment.',
    body: TreatmentRequest,
    response: Treatment,
    status: 201,
    problems: ['code_taken'],
    handle: async ({ body, request }, ctx) => answer(await createTreatment(ctx, { ...body, ...by(request) }), 201)
  }),
  defineEndpoint({
    method: 'get',
    path: `${base}/:id`,
    access: { permission: 'catalog.read' },
    summary: 'One treatment.',
    response: Treatment,
    handle: async ({ params, request }, ctx) => answer(await getTreatment(ctx, { clinic_id: request.actor.clinic_id, id: params.id! }))
  }),
  defineEndpoint({
    method: 'patch',
    path: `${base}/:id`,
    access: { permission: 'catalog.write' },
    summary: 'Changes the given fields, for budgets to come; one that is no longer offered is set inactive.',
    body: TreatmentChange,
    response: Treatment,
    problems: ['code_taken', 'precondition_failed'],
    handle: async ({ params, body, request }, ctx) =>
      answer(await changeTreatment(ctx, { ...by(request), id: params.id!, if_match: request.headers['if-match'], change: body }))
  }),
  defineEndpoint({
    method: 'get',
    path: '/catalog/categories',
    access: { permission: 'catalog.read' },
    summary: 'Categories a treatment can be in, with their names in several languages.',
    response: z.array(Category),
    handle: (_, ctx) => selectCategories(ctx.db)
  })
]

const by = ({ actor }: StaffRequest) => ({ clinic_id: actor.clinic_id, user_id: actor.user_id })
