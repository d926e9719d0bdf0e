import { defineEndpoint, page } from '@svc/kit'
import * as z from 'zod'
import { listPatients } from '#clinical/server/services/list-patients.ts'
import { Patient, PatientQuery } from '#clinical/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'clinical.read' },
  summary: 'List patients by name. `search` matches the beginnings of words in name, email and phone.',
  query: PatientQuery,
  response: z.array(Patient),
  async handle({ query, request }, ctx) {
    const { rows, total } = await listPatients(ctx, { clinic_id: request.actor.clinic_id, ...query })
    return page(rows, { total, page: query.page, page_size: query.page_size })
  }
})
