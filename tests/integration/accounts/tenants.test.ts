import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anAuthenticator } from '../../support/accounts.ts'
import { aSentBudget, aVerifiedPatient, ACCEPTANCE, BUDGETS, eventually } from '../../support/builders.ts'
import type { Caller } from '../../support/caller.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { anUpload, PATIENT_IMPORTS, TREATMENT_IMPORTS } from '../../support/imports.ts'
import { PASSWORD } from '../../support/people.ts'
import { STAFF_ENDPOINTS } from '../../support/staff-endpoints.ts'
import { sealAgain } from '../../support/documents/seals.ts'

/** Two clinics on one instance: to everyone in one clinic, the data of the other does not exist. */
let instance: Instance
let stranger: Caller
/** A person who works in both clinics, and is in the other one now. */
let visitor: Caller
const theirs: Record<
  | 'budget'
  | 'patient'
  | 'treatment'
  | 'set'
  | 'template'
  | 'professional'
  | 'invoice'
  | 'advance'
  | 'webhook'
  | 'token'
  | 'user'
  | 'membership'
  | 'patients'
  | 'treatments'
  | 'factor'
  | 'session',
  string
> = {} as never
/**
 * These aren't lists of a clinic's data. They are tested below, except the instance's categories and channels, and the
 * modules' sections.
 */
const NO_LISTS = [
  '/api/v1/clinic', '/api/v1/clinic/mail',
  '/api/v1/catalog/categories',
  '/api/v1/budget/attention',
  '/api/v1/budget/channels',
  '/api/v1/audit/export.csv',
  '/api/v1/reports/acceptance',
  '/api/v1/reports/sections'
]
const LISTS = Object.entries(STAFF_ENDPOINTS)
  .filter(([permission]) => !['session', 'modules.manage'].includes(permission))
  .flatMap(([, endpoints]) => endpoints)
  .filter(endpoint => endpoint.startsWith('GET ') && !endpoint.includes('{'))
  .map(endpoint => endpoint.slice(4))
  .filter(path => !NO_LISTS.includes(path) && !path.endsWith('.csv')) // Tested in tests/integration/exports.

beforeAll(async () => {
  instance = await anInstance()
  const budget = await aSentBudget(instance)
  const accepted = await (await aVerifiedPatient(instance, budget)).post(`${budget.base}/accept`, ACCEPTANCE)
  expect(accepted.status).toBe(200)
  const staff = await instance.as('admin')
  const invoice = await eventually(
    async () => (await staff.get('/api/v1/billing/invoices')).body.data[0],
    'the draft of the invoice'
  )
  const { body: { data } } = await staff.get(`${BUDGETS}/${budget.id}`)
  const advance = await staff.post('/api/v1/billing/advances', { budget_id: budget.id, amount: '5.00', method: 'cash' })
  const webhook = await staff.post('/api/v1/webhooks', { url: 'https://93.184.215.14/in', events: ['*'] })
  const token = await staff.post('/api/v1/tokens', { name: 'Ours', scopes: ['budget.read'] })
  const { body: me } = await staff.get('/me')
  const { treatment_id } = data.items[0]
  const set = await staff.post('/api/v1/catalog/sets', { name: 'Together', items: [{ treatment_id }] })
  const template = await staff.post('/api/v1/budget/templates', { name: 'Kept', budget_id: data.id })
  Object.assign(theirs, {
    budget: data.id,
    set: set.body.data.id,
    template: template.body.data.id,
    patient: data.patient_id,
    treatment: data.items[0].treatment_id,
    professional: data.professional_id,
    invoice: invoice.id,
    advance: advance.body.data.id,
    webhook: webhook.body.data.id,
    token: token.body.data.id,
    user: me.data.user.id,
    membership: instance.clinic.id,
    patients: (await anUpload(staff, PATIENT_IMPORTS, 'first_name\nAna')).id,
    treatments: (await anUpload(staff, TREATMENT_IMPORTS, 'code\nA1')).id,
    factor: await aFactor(staff),
    session: (await staff.get('/api/v1/auth/sessions')).body.data[0].id
  })
  stranger = await instance.as('admin', await instance.anotherClinic())
  visitor = await instance.as('admin', await instance.anotherClinic())
  const { user } = (await visitor.get('/me')).body.data
  await instance.sql`insert into core_membership (clinic_id, user_id, role) values (${instance.clinic.id}, ${user.id}, 'admin')`
  await sealAgain(instance.sql, 'membership')
})
afterAll(() => instance.close())

async function aFactor(staff: Caller): Promise<string> {
  await anAuthenticator(staff)
  return (await staff.get('/api/v1/auth/factors')).body.data[0].id
}

const KINDS: [prefix: string, kind: keyof typeof theirs][] = [
  ['/api/v1/users/', 'user'],
  ['/api/v1/webhooks/', 'webhook'],
  ['/api/v1/tokens/', 'token'],
  ['/api/v1/catalog/treatments/', 'treatment'],
  ['/api/v1/catalog/sets/', 'set'],
  ['/api/v1/clinical/patients/', 'patient'],
  ['/api/v1/catalog/imports/', 'treatments'],
  ['/api/v1/clinical/imports/', 'patients'],
  ['/api/v1/clinic/persons/', 'patient'],
  ['/api/v1/clinical/professionals/', 'professional'],
  [`${BUDGETS}/`, 'budget'],
  ['/api/v1/budget/templates/', 'template'],
  ['/api/v1/billing/invoices/', 'invoice'],
  ['/api/v1/billing/budgets/', 'budget'],
  ['/api/v1/billing/advances/', 'advance'],
  ['/api/v1/auth/memberships/', 'membership'],
  ['/api/v1/auth/factors/', 'factor'],
  ['/api/v1/auth/sessions/', 'session']
]
/** Valid bodies, so that the endpoint proceeds to looking up the id. */
const BODIES: Record<string, object> = {
  'send': { channel: 'manual' },
  'resend': { channel: 'manual' },
  'set-public-code': { generate: true },
  'accept-in-clinic': ACCEPTANCE,
  'price': { selection: {} },
  'reject-in-clinic': { reason: 'No.' },
  'payments': { amount: '1.00', method: 'cash' },
  'replay': { delivery_id: randomUUID() },
  'cancel': { reason: 'No.' },
  'credit': { reason: 'No.' },
  'split': { items: [{ item_id: randomUUID() }] },
  'reverse': { reason: 'No.' },
  'erase': { dry_run: false },
  'withdraw': { requested_by: 'patient', reason: 'No.' },
  'done': { items: [{ item_id: randomUUID(), done_on: null }] },
  'messages': { text: 'Hello.' },
  'budgets': { patient_id: randomUUID() },
  '{id}': { accept: true }
}

describe('ids of another clinic are 404, to readers and writers', () => {
  // Each clinic has its own external ids: tests/integration/programs/external-ids.test.ts.
  const endpoints = Object.values(STAFF_ENDPOINTS).flat()
    .filter(endpoint => endpoint.includes('{id}') && !endpoint.startsWith('PUT '))

  test.each(endpoints)('%s', async (endpoint) => {
    const [method, template] = endpoint.split(' ') as [string, string]
    const [, kind] = KINDS.find(([prefix]) => template.startsWith(prefix))!
    const path = template.replace('{id}', theirs[kind]).replace('{payment_id}', randomUUID())
    const body = method === 'PATCH' ? {} : BODIES[template.split('/').at(-1)!] ?? {}
    for (const caller of [stranger, visitor]) {
      const answer
        = method === 'GET'
          ? await caller.get(path)
          : method === 'DELETE'
            ? await caller.delete(path, kind === 'factor' ? { raw: JSON.stringify({ password: PASSWORD }) } : {})
            : await caller[method.toLowerCase() as 'post' | 'patch'](path, body)
      expect([endpoint, answer.status, answer.body?.code]).toEqual([endpoint, 404, 'not_found'])
    }
  })

  test('every kind of record is tested', () => {
    for (const [prefix] of KINDS)
      expect(endpoints.filter(endpoint => endpoint.includes(prefix)).length).toBeGreaterThan(0)
  })
})

describe('lists and searches show nothing of another clinic', () => {
  test.each(LISTS)('%s', async (list) => {
    const staff = await instance.as('admin')
    const ours = (await staff.get(list)).body.data.map((row: { id: string }) => row.id)
    expect(ours.length).toBeGreaterThan(0)
    const seen = (await stranger.get(list)).body.data.map((row: { id: string }) => row.id)
    expect(seen.filter((id: string) => ours.includes(id))).toEqual([])
  })

  test('for any word, id or filter that finds the records in their own clinic', async () => {
    const staff = await instance.as('admin')
    const { body: { data: budget } } = await staff.get(`${BUDGETS}/${theirs.budget}`)
    const { body: { data: treatment } } = await staff.get(`/api/v1/catalog/treatments/${theirs.treatment}`)
    const { body: { data: user } } = await staff.get(`/api/v1/users/${theirs.user}`)
    const name = encodeURIComponent(budget.patient.last_name)
    const queries = [
      ...[
        `search=${budget.number}`,
        `search=${name}`,
        `patient_id=${theirs.patient}`,
        `professional_id=${theirs.professional}`,
        'status=accepted',
        'expires_before=2999-01-01',
        'sort=-total'
      ].map(query => `${BUDGETS}?${query}`),
      ...[
        `search=${name}`,
        `search=${budget.number}`,
        `patient_id=${theirs.patient}`,
        `budget_id=${theirs.budget}`,
        'status=draft'
      ].map(query => `/api/v1/billing/invoices?${query}`),
      ...[`patient_id=${theirs.patient}`, `budget_id=${theirs.budget}`, 'status=open'].map(
        query => `/api/v1/billing/advances?${query}`
      ),
      ...[`search=${name}`, `search=${encodeURIComponent('lucia@patient.test')}`].map(
        query => `/api/v1/clinical/patients?${query}`
      ),
      ...[`search=${encodeURIComponent(budget.professional.name)}`, 'active=true'].map(
        query => `/api/v1/clinical/professionals?${query}`
      ),
      ...[`search=${treatment.code}`, 'search=Filling', 'active=true'].map(
        query => `/api/v1/catalog/treatments?${query}`
      ),
      `/api/v1/users?search=${encodeURIComponent(user.email)}`
    ]
    for (const query of queries) {
      const ours = (await staff.get(query)).body
      expect([query, ours.data?.length > 0]).toEqual([query, true])
      for (const caller of [stranger, visitor]) {
        const { status, body } = await caller.get(query)
        expect([query, status, body.data, body.total]).toEqual([query, 200, [], 0])
      }
    }
  })

  test('or in counts, attention lists and reports, which include only the own clinic', async () => {
    const { body: list } = await stranger.get(BUDGETS)
    expect(Object.values(list.counts as Record<string, number>).reduce((sum, count) => sum + count, 0)).toBe(0)
    const { body: attention } = await stranger.get('/api/v1/budget/attention')
    expect(Object.values(attention.data as Record<string, { total: number }>).map(({ total }) => total)).toEqual([
      0, 0, 0, 0, 0, 0, 0
    ])
    expect((await stranger.get('/api/v1/reports/acceptance')).body.data.totals).toMatchObject({
      sent: 0,
      accepted: 0,
      invoices: 0
    })
    expect((await stranger.get('/api/v1/clinic')).body.data.id).not.toBe(instance.clinic.id)
  })
})

test('records of another clinic can neither be used in a new budget nor added to one later', async () => {
  const own = await stranger.post('/api/v1/clinical/patients', { first_name: 'Ada', last_name: 'Own' })
  const foreignPatient = await stranger.post(BUDGETS, { patient_id: theirs.patient, items: [] })
  const foreignTreatment = await stranger.post(BUDGETS, {
    patient_id: own.body.data.id,
    items: [{ treatment_id: theirs.treatment }]
  })
  const foreignProfessional = await stranger.post(BUDGETS, {
    patient_id: own.body.data.id,
    professional_id: theirs.professional,
    items: []
  })
  expect([foreignPatient, foreignTreatment, foreignProfessional].map(({ status }) => status)).toEqual([422, 422, 422])
  const advance = { budget_id: theirs.budget, amount: '5.00', method: 'cash' }
  expect((await stranger.post('/api/v1/billing/advances', advance)).status).toBe(422)
  const draft = await stranger.post(BUDGETS, { patient_id: own.body.data.id, items: [] })
  for (const change of [
    { patient_id: theirs.patient },
    { professional_id: theirs.professional },
    { items: [{ treatment_id: theirs.treatment }] }
  ]) {
    expect([change, (await stranger.patch(`${BUDGETS}/${draft.body.data.id}`, change)).status]).toEqual([change, 422])
  }
})

test('a session belongs to one clinic: it cannot be switched to a clinic without membership', async () => {
  const { status } = await stranger.post('/api/v1/auth/switch-clinic', { clinic_id: instance.clinic.id })
  expect(status).toBe(404)
})
