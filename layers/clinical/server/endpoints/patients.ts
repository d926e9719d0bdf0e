import { defineEndpoint, etagOf, page, reply, type StaffRequest } from '@svc/kit'
import * as z from 'zod'
import { Patient, PatientChange, PatientQuery, PatientRequest } from '../../shared/contract.ts'
import type { PatientRow } from '../db/patients.ts'
import { changePatient } from '../services/change-patient.ts'
import { createPatient } from '../services/create-patient.ts'
import { getPatient } from '../services/get-patient.ts'
import { listPatients } from '../services/list-patients.ts'
import { toPatient } from '../services/views.ts'

const base = '/clinical/patients'
const answer = (row: PatientRow, status = 200) => reply({ status, headers: { ETag: etagOf(row.version) }, data: toPatient(row) })

export const patientEndpoints = [
  defineEndpoint({
    method: 'get',
    path: base,
    access: { permission: 'clinical.read' },
    summary: 'Patients of the clinic by name; search looks at the beginnings of words in name, e-mail and phone.',
    query: PatientQuery,
    response: z.array(Patient),
    async handle({ query, request }: { query: PatientQuery, request: StaffRequest }, ctx) {
      const { rows, total } = await listPatients(ctx, { clinic_id: request.actor.clinic_id, ...query })
      return page(rows, { total, page: query.page, page_size: query.page_size })
    }
  }),
  defineEndpoint({
    method: 'post',
    path: base,
    access: { permission: 'clinical.write' },
    summary: 'A new patient.',
    body: PatientRequest,
    response: Patient,
    status: 201,
    handle: async ({ body, request }, ctx) => answer(await createPatient(ctx, { ...body, ...by(request) }), 201)
  }),
  defineEndpoint({
    method: 'get',
    path: `${base}/:id`,
    access: { permission: 'clinical.read' },
    summary: 'One patient.',
    response: Patient,
    handle: async ({ params, request }, ctx) => answer(await getPatient(ctx, { clinic_id: request.actor.clinic_id, id: params.id! }))
  }),
  defineEndpoint({
    method: 'patch',
    path: `${base}/:id`,
    access: { permission: 'clinical.write' },
    summary: 'Changes the given fields; with If-Match only when nobody else did since.',
    body: PatientChange,
    response: Patient,
    problems: ['precondition_failed', 'patient_erased'],
    handle: async ({ params, body, request }, ctx) =>
      answer(await changePatient(ctx, { ...by(request), id: params.id!, if_match: request.headers['if-match'], change: body }))
  })
]

const by = ({ actor }: StaffRequest) => ({ clinic_id: actor.clinic_id, user_id: actor.user_id })
