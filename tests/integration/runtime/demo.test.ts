import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, isLinkSealed } from '../../../layers/budget/server/services/link/row-seals.ts'
import { deactivateAccount } from '../../../server/core/people/accounts/deactivate-account.ts'
import { isSealed } from '../../../server/core/people/seals/row-seals.ts'
import { checkSealedRows } from '../../../server/core/people/seals/sealed-rows-advice.ts'
import { DEMO, DEMO_USERS, fillDemo } from '../../../server/core/demo/demo.ts'
import { createJobs } from '../../../server/core/events/publish.ts'
import type { Diagnosis } from '../../../server/core/doctor/doctor.ts'
import { BUDGETS, eventually } from '../../support/builders.ts'
import { createCaller, type Caller } from '../../support/caller.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { sealAgain } from '../../support/documents/seals.ts'

let instance: Instance
let staff: Caller

beforeAll(async () => {
  instance = await anInstance()
  await fill()
  staff = await signIn(DEMO.email)
}, 180_000)
afterAll(() => instance.close())

/** Does what `svc demo seed` does. Every code and password needs a slow hash, so this takes a while. */
async function fill() {
  await createJobs('core').add(instance.runtime.host.db, 'demo', {}, { key: 'demo' })
  const until = performance.now() + 150_000
  for (;;) {
    const [open]
      = await instance.sql`select last_error from core_delivery where module_name = 'core' and status = 'pending'`
    if (!open) return
    if (open.last_error || performance.now() > until) throw new Error(`the demo is not there: ${open.last_error}`)
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

async function signIn(email: string): Promise<Caller> {
  const { body } = await createCaller(instance.url).post('/api/v1/auth/login', { email, password: DEMO.password })
  return createCaller(instance.url, { bearer: body.data.access_token })
}

const openOnes = async () =>
  (await staff.get(`${BUDGETS}?search=${encodeURIComponent(DEMO.open_budget)}&status=sent&locked=false`)).body.data as {
    id: string
  }[]
const counts = async () =>
  (
    await instance.sql`
  select (select count(*)::int from budget) as budgets, (select count(*)::int from clinical_patient) as patients, (select count(*)::int from clinical_professional) as professionals,
    (select count(*)::int from catalog_treatment) as treatments, (select count(*)::int from core_user) as users, (select count(*)::int from core_clinic) as clinics,
    (select count(*)::int from budget_access_log) as log, (select count(*)::int from billing_invoice) as invoices, (select count(*)::int from billing_payment) as payments`
  )[0]

describe('the demo clinic', () => {
  it('has an address and a logo, and an account for each role', async () => {
    const { body } = await staff.get('/api/v1/clinic')
    expect(body.data).toMatchObject({ name: 'Clínica Dental Aurora', address: expect.stringContaining('Madrid') })
    const logo = await instance.anonymous().get(new URL(body.data.logo_url).pathname)
    expect([logo.status, logo.headers.get('content-type')]).toEqual([200, 'image/png'])
    for (const { email, role } of DEMO_USERS) expect((await (await signIn(email)).get('/me')).body.data.role).toBe(role)
  })

  it('has a seal on every row that opens something', async () => {
    const { db, secrets } = instance.runtime.host
    expect(await checkSealedRows(db, { secrets })).toEqual([])
    const sessions = await instance.sql`select * from core_session where revoked_at is null`
    expect(sessions.filter(row => !isSealed(secrets, 'session', row as never))).toEqual([])
    const links = await instance.sql`select * from budget_link`
    expect(links.length).toBeGreaterThan(5)
    expect(links.filter(link => link.token_hash && !isLinkSealed(secrets, link as never))).toEqual([])
    expect(links.map(link => codeOf(secrets, link as never))).toEqual(links.map(link => link.code_hash))
  })

  it('has two professionals, a dozen patients with accents, thirty treatments with two VAT rates', async () => {
    expect((await staff.get('/api/v1/clinical/professionals')).body.total).toBe(2)
    const patients = (await staff.get('/api/v1/clinical/patients?page_size=100')).body
    expect(patients.total).toBe(12)
    expect(new Set(patients.data.map((row: { locale: string }) => row.locale)).size).toBeGreaterThanOrEqual(5)
    const treatments = (await staff.get('/api/v1/catalog/treatments?page_size=100')).body
    expect(treatments.total).toBe(30)
    expect(new Set(treatments.data.map((row: { vat: string }) => row.vat)).size).toBe(2)
    for (const row of treatments.data)
      expect([row.name.en, row.name.es, row.description.en, row.description.es]).not.toContain(undefined)
  })

  it('has budgets in every state, one of them with 25 lines', async () => {
    const { body } = await staff.get(`${BUDGETS}?page_size=100`)
    expect(Object.entries(body.counts).filter(([, count]) => count === 0)).toEqual([])
    expect(new Set(body.data.map((row: { status: string }) => row.status))).toEqual(
      new Set(['draft', 'sent', 'accepted', 'rejected', 'expired', 'cancelled', 'superseded'])
    )
    const lines
      = await instance.sql`select count(*)::int as n from budget_item group by budget_id order by n desc limit 1`
    expect(lines[0]!.n).toBe(25)
    expect((await staff.get(`${BUDGETS}?locked=true`)).body.total).toBe(1)
  })

  it('has signed PDFs of accepted budgets', async () => {
    await eventually(
      async () => (await instance.sql`select 1 from budget where signed_pdf_status = 'pending'`).length === 0,
      'the signed PDFs'
    )
    const accepted = (await staff.get(`${BUDGETS}?status=accepted`)).body.data
    expect(accepted).toHaveLength(6)
    for (const { id } of accepted)
      expect((await staff.get(`${BUDGETS}/${id}/pdf/signed`)).bytes.subarray(0, 5).toString()).toBe('%PDF-')
  })

  it('has an invoice of each accepted budget: paid, partly paid, issued, credited, and drafts', async () => {
    // The draft is created by the event of its budget.
    await eventually(async () => (await instance.sql`select from billing_invoice`).length === 7, 'the invoices')
    const { body } = await staff.get('/api/v1/billing/invoices?sort=issued_at')
    expect(body.counts).toEqual({ draft: 2, issued: 3, paid: 1, credited: 1, cancelled: 0 })
    expect(
      body.data.map((row: { status: string, paid: string, due: string }) => [
        row.status,
        row.paid === '0.00',
        row.due === '0.00'
      ])
    ).toEqual([
      ['paid', false, true],
      ['issued', false, false],
      ['issued', true, false],
      ['credited', true, true],
      ['issued', true, true],
      ['draft', true, false],
      ['draft', true, false]
    ])
    expect(body.data.map((row: { number: string | null }) => row.number?.slice(-4))).toEqual([
      '0001',
      '0002',
      '0003',
      '0004',
      '0001',
      undefined,
      undefined
    ])
  })

  it('has one open budget that a patient can open with its link and code', async () => {
    const [open] = await openOnes()
    const { link } = (await staff.get(`${BUDGETS}/${open!.id}`)).body.data
    const token = link.url.split('/').at(-1)
    const patient = instance.anonymous()
    expect((await patient.post(`/api/v1/public/budgets/${token}/verify`, { code: DEMO.code })).status).toBe(200)
    expect((await patient.get(`/api/v1/public/budgets/${token}`)).body.data).toMatchObject({
      status: 'sent',
      patient: { first_name: 'Núria' }
    })
  })

  it('does not change when it is filled again', async () => {
    const before = await counts()
    await fill()
    expect(await counts()).toEqual(before)
  })

  it('has an open budget again after that one was decided', async () => {
    const [open] = await openOnes()
    const { status } = await staff.post(`${BUDGETS}/${open!.id}/cancel`, {})
    expect(status).toBe(200)
    expect(await openOnes()).toEqual([])
    await fill()
    expect(await openOnes()).toHaveLength(1)
  })
})

it('the doctor names the accounts that still have the demo password, as advice', async () => {
  const doctor = async () => (await staff.get('/api/v1/modules/-/doctor')).body.data as Diagnosis
  const named = async () =>
    (await doctor()).advice.filter(({ code }) => code === 'demo_password').map(({ object }) => object)
  expect(await named()).toEqual([DEMO_USERS.map(({ email }) => email).toSorted().join(', ')])
  await instance.sql`update core_user set password_hash = null where email <> ${DEMO.email} and email not like 'dentist%' and email like '%@aurora.example'`
  await sealAgain(instance.sql, 'user')
  await deactivateAccount(instance.runtime.host, 'dentist@aurora.example')
  expect(await named()).toEqual([DEMO.email])
})

it('the demo is refused on a server that can be reached from other machines', async () => {
  const elsewhere = {
    ...instance.runtime.host,
    config: { ...instance.runtime.host.config, base_url: 'https://budgets.clinic.example' }
  }
  // Filling the clinic would create these again.
  await instance.sql`update core_user set email = 'gone@aurora.example' where email = 'assistant@aurora.example'`
  await sealAgain(instance.sql, 'user')
  const before = await counts()
  await fillDemo(elsewhere)
  expect(await counts()).toEqual(before)
})
