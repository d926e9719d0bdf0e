import { randomBytes } from 'node:crypto'
import { aPatient, aSentBudget, BUDGETS } from '../../support/builders.ts'
import { createUser } from '../../../server/core/people/accounts/create-user.ts'
import { TIMES } from './scenarios-patient.ts'
import { assertOk, type Scenario, type World } from './world.ts'

/** Called in the large clinic, then in an average one, so that a cached plan has to work for both. */
const get = (path: string): Scenario => async (world) => {
  for (const clinic of [world.clinic, world.small]) {
    const staff = await world.as('admin', clinic)
    for (let n = 0; n < TIMES; n++) await assertOk(staff.get(path))
  }
}

/** The same for one row of the clinic, which the bench looks up. */
const getOne = (find: (world: World, clinic: { id: string }) => Promise<string>): Scenario => async (world) => {
  for (const clinic of [world.clinic, world.small]) {
    const [staff, path] = [await world.as('admin', clinic), await find(world, clinic)]
    for (let n = 0; n < TIMES; n++) await assertOk(staff.get(path))
  }
}

const one = async (rows: Promise<readonly { id?: string }[]>): Promise<string> => (await rows)[0]!.id!
const aBudget = (end = ''): Scenario =>
  getOne(
    async ({ sql }, clinic) =>
      `${BUDGETS}/${await one(sql<{ id: string }[]>`select id from budget where clinic_id = ${clinic.id} and status = 'accepted' order by created_at limit 1`)}${end}`
  )
const list = (query: string): [string, Scenario] => [`GET budgets${query}`, get(`${BUDGETS}${query}`)]
const year = new Date().getFullYear()

export const staff: Record<string, Scenario> = {
  async 'POST /auth/login'(world) {
    const email = `plans-${randomBytes(4).toString('hex')}@plans.test`
    const password = 'a password for tests'
    await createUser(
      world.runtime.host,
      { email, first_name: 'Rosa', last_name: 'Plan', clinic_id: world.clinic.id, role: 'dentist', password },
      { by: 'operator' }
    )
    for (let n = 0; n < TIMES; n++) await assertOk(world.anonymous().post('/api/v1/auth/login', { email, password }))
  },
  'GET /me, session look-up': get('/api/v1/me'),
  'GET auth/screen': get('/api/v1/auth/screen'),
  'GET users': get('/api/v1/users'),
  'GET clinic': get('/api/v1/clinic'),
  ...Object.fromEntries(
    [
      '',
      '?page=500',
      '?status=sent',
      '?status=sent&status=accepted&page=500',
      '?status=draft',
      '?status=expired',
      '?status=expired&status=rejected&sort=-number&page=500',
      '?status=expired&sort=-valid_until',
      '?sort=created_at',
      '?sort=number',
      '?sort=-number&page=500',
      '?sort=total',
      '?sort=-total&page=500',
      '?sort=valid_until',
      '?sort=-valid_until&page=500',
      '?sort=sent_at',
      '?sort=-sent_at&page=500',
      '?sort=-decided_at',
      '?sort=decided_at&page=500',
      '?search=PRES-2026-54',
      '?search=garcia',
      '?search=ana%20puig',
      '?search=4321',
      '?search=zzz',
      '?locked=true',
      '?locked=false',
      `?expires_before=${year}-01-31`,
      '?status=sent&sort=-total',
      '?attention=expiring',
      '?attention=locked',
      '?attention=undelivered',
      '?attention=pdf_pending'
    ].map(list)
  ),
  'GET budgets of a patient': getOne(
    async ({ sql }, { id }) =>
      `${BUDGETS}?patient_id=${await one(sql<{ id: string }[]>`select patient_id as id from budget where clinic_id = ${id} limit 1`)}`
  ),
  'GET budgets of a professional': getOne(
    async ({ sql }, { id }) =>
      `${BUDGETS}?page=50&professional_id=${await one(sql<{ id: string }[]>`select professional_id as id from budget where clinic_id = ${id} and professional_id is not null limit 1`)}`
  ),
  'GET budget': aBudget(),
  'GET its access log': aBudget('/access-log'),
  'GET its signature': aBudget('/signature'),
  'GET attention': get('/api/v1/budget/attention'),
  'GET patients': get('/api/v1/clinical/patients'),
  'GET patients, page 500': get('/api/v1/clinical/patients?page=500'),
  'GET patients, a name': get('/api/v1/clinical/patients?search=garcia'),
  'GET patients, two words': get('/api/v1/clinical/patients?search=ana%20puig%20a'),
  'GET patients, a phone': get('/api/v1/clinical/patients?search=600000123'),
  'GET a patient': getOne(
    async ({ sql }, { id }) =>
      `/api/v1/clinical/patients/${await one(sql<{ id: string }[]>`select id from clinical_patient where clinic_id = ${id} limit 1`)}`
  ),
  'GET professionals': get('/api/v1/clinical/professionals'),
  'GET treatments': get('/api/v1/catalog/treatments'),
  'GET treatments, searched': get('/api/v1/catalog/treatments?search=empaste'),
  ...Object.fromEntries(
    [
      '',
      '?page=500',
      '?status=draft',
      '?status=issued&status=paid',
      '?sort=number',
      '?sort=-number&page=500',
      '?sort=total',
      '?sort=-issued_at',
      '?search=garcia',
      '?search=INV-2026-12'
    ].map(query => [`GET invoices${query}`, get(`/api/v1/billing/invoices${query}`)])
  ),
  'GET an invoice': getOne(
    async ({ sql }, { id }) =>
      `/api/v1/billing/invoices/${await one(sql<{ id: string }[]>`select id from billing_invoice where clinic_id = ${id} and status = 'paid' limit 1`)}`
  ),
  'GET report of a quarter': get(`/api/v1/reports/acceptance?from=${year}-01-01&to=${year}-03-31`),
  'GET report of a year': get(`/api/v1/reports/acceptance?from=${year}-01-01&to=${year}-12-31`),
  'GET webhooks': get('/api/v1/webhooks'),
  'GET deliveries of a webhook': aWebhook(''),
  'GET failed deliveries of a webhook': aWebhook('?status=failed'),
  async 'export and erasure of a person'(world) {
    const staff = await world.as('admin')
    const { id } = await aPatient(staff)
    await aSentBudget(world, { patient_id: id })
    await assertOk(staff.get(`/api/v1/clinic/persons/${id}/export`))
    await assertOk(staff.post(`/api/v1/clinic/persons/${id}/erase`, { dry_run: false }))
  }
}

function aWebhook(query: string): Scenario {
  return async (world) => {
    const [webhook] = await world.sql<
      { id: string }[]
    >`select id from core_webhook where clinic_id = ${world.clinic.id} limit 1`
    const staff = await world.as('admin')
    for (let n = 0; n < TIMES; n++) await assertOk(staff.get(`/api/v1/webhooks/${webhook!.id}/deliveries${query}`))
  }
}
