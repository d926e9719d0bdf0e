import { defineEndpoint, etagOf, page, reply, type StaffRequest } from '@svc/kit'
import * as z from 'zod'
import { Professional, ProfessionalChange, ProfessionalQuery, ProfessionalRequest } from '../../shared/contract.ts'
import type { ProfessionalRow } from '../db/professionals.ts'
import { changeProfessional } from '../services/change-professional.ts'
import { createProfessional } from '../services/create-professional.ts'
import { getProfessional } from '../services/get-professional.ts'
import { listProfessionals } from '../services/list-professionals.ts'
import { toProfessional } from '../services/views.ts'

const base = '/clinical/professionals'
const answer = (row: ProfessionalRow, status = 200) => reply({ status, headers: { ETag: etagOf(row.version) }, data: toProfessional(row) })

export const professionalEndpoints = [
  defineEndpoint({
    method: 'get',
    path: base,
    access: { permission: 'clinical.read' },
    summary: 'Professionals of the clinic by name.',
    query: ProfessionalQuery,
    response: z.array(Professional),
    async handle({ query, request }: { query: ProfessionalQuery, request: StaffRequest }, ctx) {
      const { rows, total } = await listProfessionals(ctx, { clinic_id: request.actor.clinic_id, ...query })
      return page(rows, { total, page: query.page, page_size: query.page_size })
    }
  }),
  defineEndpoint({
    method: 'post',
    path: base,
    access: { permission: 'clinical.write' },
    summary: 'A new professional, who can then be assigned to budgets.',
    body: ProfessionalRequest,
    response: Professional,
    status: 201,
    handle: async ({ body, request }, ctx) => answer(await createProfessional(ctx, { ...body, ...by(request) }), 201)
  }),
  defineEndpoint({
    method: 'get',
    path: `${base}/:id`,
    access: { permission: 'clinical.read' },
    summary: 'One professional.',
    response: Professional,
    handle: async ({ params, request }, ctx) => answer(await getProfessional(ctx, { clinic_id: request.actor.clinic_id, id: params.id! }))
  }),
  defineEndpoint({
    method: 'patch',
    path: `${base}/:id`,
    access: { permission: 'clinical.write' },
    summary: 'Changes the given fields; a professional who left is set inactive and stays on old budgets.',
    body: ProfessionalChange,
    response: Professional,
    problems: ['precondition_failed'],
    handle: async ({ params, body, request }, ctx) =>
      answer(await changeProfessional(ctx, { ...by(request), id: params.id!, if_match: request.headers['if-match'], change: body }))
  })
]

const by = ({ actor }: StaffRequest) => ({ clinic_id: actor.clinic_id, user_id: actor.user_id })
