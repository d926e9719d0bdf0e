import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aSentBudget, aVerifiedPatient, ACCEPTANCE, BUDGETS, eventually } from '../support/builders.ts'
import type { Caller } from '../support/caller.ts'
import { anInstance, type Instance } from '../support/instance.ts'
import { STAFF_ENDPOINTS } from '../support/staff-endpoints.ts'

/** Two clinics on one instance: what belongs to the other one is, for everybody here, not there. */
let instance: Instance
let stranger: Caller
const theirs: Record<'budget' | 'patient' | 'treatment' | 'professional' | 'invoice' | 'webhook' | 'user', string> = {} as never
const LISTS = ['/api/v1/users', '/api/v1/webhooks', '/api/v1/catalog/treatments', '/api/v1/clinical/patients', '/api/v1/clinical/professionals', BUDGETS, '/api/v1/billing/invoices']

beforeAll(async () => {
  instance = await anInstance()
  const budget = await aSentBudget(instance)
  const accepted = await (await aVerifiedPatient(instance, budget)).post(`${budget.base}/accept`, ACCEPTANCE)
  expect(accepted.status).toBe(200)
  const staff = await instance.as('admin')
  const invoice = await eventually(async () => (await staff.get('/api/v1/billing/invoices')).body.data[0], 'the draft of the invoice')
  const { body: { data } } = await staff.get(`${BUDGETS}/${budget.id}`)
  const webhook = await staff.post('/api/v1/webhooks', { url: 'https://93.184.215.14/in', events: ['*'] })
  const { body: me } = await staff.get('/me')
  Object.assign(theirs, {
    budget: data.id, patient: data.patient_id, treatment: data.items[0].treatment_id, professional: data.professional_id,
    invoice: invoice.id, webhook: webhook.body.data.id, user: me.data.user.id
  })
  stranger = await instance.as('admin', await instance.anotherClinic())
})
afterAll(() => instance.close())

const KINDS: [prefix: string, kind: keyof typeof theirs][] = [
  ['/api/v1/users/', 'user'], ['/api/v1/webhooks/', 'webhook'], ['/api/v1/catalog/treatments/', 'treatment'], ['/api/v1/clinical/patients/', 'patient'], ['/api/v1/clinic/persons/', 'patient'],
  ['/api/v1/clinical/professionals/', 'professional'], [`${BUDGETS}/`, 'budget'], ['/api/v1/billing/invoices/', 'invoice']
]
/** Bodies that the endpoint would take, so that it gets as far as looking for the thing. */
const BODIES: Record<string, object> = {
  'send': { channel: 'manual' }, 'resend': { channel: 'manual' }, 'set-public-code': { generate: true }, 'accept-in-clinic': ACCEPTANCE,
  'reject-in-clinic': { reason: 'No.' }, 'payments': { amount: '1.00', method: 'cash' }, 'replay': { delivery_id: randomUUID() }, 'cancel': { reason: 'No.' }, 'erase': { dry_run: false }
}

describe('another clinic\'s ids answer 404, to a reader and to a writer', () => {
  const endpoints = Object.values(STAFF_ENDPOINTS).flat().filter(endpoint => endpoint.includes('{id}'))

  test.each(endpoints)('%s', async (endpoint) => {
    const [method, template] = endpoint.split(' ') as [string, string]
    const [, kind] = KINDS.find(([prefix]) => template.startsWith(prefix))!
    const path = template.replace('{id}', theirs[kind])
    const body = method === 'PATCH' ? {} : BODIES[template.split('/').at(-1)!] ?? {}
    const answer = method === 'GET' ? await stranger.get(path) : method === 'DELETE' ? await stranger.delete(path) : await stranger[method.toLowerCase() as 'post' | 'patch'](path, body)
    expect([endpoint, answer.status, answer.body?.code]).toEqual([endpoint, 404, 'not_found'])
  })

  test('every kind of thing is tried', () => {
    for (const [prefix] of KINDS) expect(endpoints.filter(endpoint => endpoint.includes(prefix)).length).toBeGreaterThan(0)
  })
})

describe('lists and searches hold nothing of another clinic', () => {
  test.each(LISTS)('%s', async (list) => {
    const staff = await instance.as('admin')
    const ours = (await staff.get(list)).body.data.map((row: { id: string }) => row.id)
    expect(ours.length).toBeGreaterThan(0)
    const seen = (await stranger.get(list)).body.data.map((row: { id: string }) => row.id)
    expect(seen.filter((id: string) => ours.includes(id))).toEqual([])
  })

  test('not by number, by name, by the patient\'s id, nor by the professional\'s', async () => {
    const { body: { data } } = await (await instance.as('admin')).get(`${BUDGETS}/${theirs.budget}`)
    const queries = [`search=${data.number}`, `search=${encodeURIComponent(data.patient.last_name)}`, `patient_id=${theirs.patient}`, `professional_id=${theirs.professional}`, 'status=accepted']
    for (const query of queries) {
      const { body } = await stranger.get(`${BUDGETS}?${query}`)
      expect([query, body.data, body.total]).toEqual([query, [], 0])
    }
    const invoices = await stranger.get(`/api/v1/billing/invoices?search=${encodeURIComponent(data.patient.last_name)}`)
    const patients = await stranger.get(`/api/v1/clinical/patients?search=${encodeURIComponent(data.patient.last_name)}`)
    expect([invoices.body.data, patients.body.data]).toEqual([[], []])
  })

  test('counts, attention and reports count the own clinic only', async () => {
    const { body: list } = await stranger.get(BUDGETS)
    expect(Object.values(list.counts as Record<string, number>).reduce((sum, count) => sum + count, 0)).toBe(0)
    const { body: attention } = await stranger.get('/api/v1/budget/attention')
    expect(Object.values(attention.data as Record<string, { total: number }>).map(({ total }) => total)).toEqual([0, 0, 0, 0])
    expect((await stranger.get('/api/v1/reports/acceptance')).body.data.totals).toMatchObject({ sent: 0, accepted: 0, invoices: 0 })
  })
})

test('nothing of another clinic can be built into a budget', async () => {
  const own = await stranger.post('/api/v1/clinical/patients', { first_name: 'Ada', last_name: 'Own' })
  const foreignPatient = await stranger.post(BUDGETS, { patient_id: theirs.patient, items: [] })
  const foreignTreatment = await stranger.post(BUDGETS, { patient_id: own.body.data.id, items: [{ treatment_id: theirs.treatment }] })
  const foreignProfessional = await stranger.post(BUDGETS, { patient_id: own.body.data.id, professional_id: theirs.professional, items: [] })
  expect([foreignPatient, foreignTreatment, foreignProfessional].map(({ status }) => status)).toEqual([422, 422, 422])
})

test('a session is of one clinic: a clinic that one does not belong to cannot be switched to', async () => {
  const { status } = await stranger.post('/api/v1/auth/switch-clinic', { clinic_id: instance.clinic.id })
  expect(status).toBe(404)
})
