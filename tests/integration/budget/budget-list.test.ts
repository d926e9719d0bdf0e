import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aDraft, aPatient, aProfessional, aTreatment, BUDGETS } from '../../support/builders.ts'
import type { Caller } from '../../support/caller.ts'
import { anInstance, type Instance } from '../../support/instance.ts'

let instance: Instance
let staff: Caller
/** 0: Muñoz draft 121.00 · 1: Núñez sent 242.00, locked · 2: Muñoz accepted 363.00 · 3: Núñez draft 484.00 */
let budgets: any[]
let nunez: { id: string }
let vidal: { id: string }

beforeAll(async () => {
  instance = await anInstance()
  staff = await instance.as('admin')
  const treatment = await aTreatment(staff)
  const munoz = await aPatient(staff)
  nunez = await aPatient(staff, { first_name: 'Álvaro', last_name: 'Núñez' })
  vidal = await aProfessional(instance)
  const other = await aProfessional(instance, instance.clinic, 'Ivo Sanz')
  budgets = []
  for (const [index, patient] of [munoz, nunez, munoz, nunez].entries()) {
    budgets.push(
      await aDraft(instance, {
        patient_id: patient.id,
        professional_id: index === 3 ? other.id : vidal.id,
        items: [{ treatment_id: treatment.id, quantity: index + 1 }]
      })
    )
  }
  const { sql } = instance
  await sql`update budget set status = 'sent', sent_at = now() - interval '1 day', valid_until = '2099-06-30', expires_at = '2099-06-30T22:00:00Z' where id = ${budgets[1].id}`
  await sql`insert into budget_link (budget_id, clinic_id, locked_until) values (${budgets[1].id}, ${instance.clinic.id}, now() + interval '10 minutes')`
  await sql`update budget set status = 'sent', sent_at = now(), valid_until = '2099-12-31', expires_at = '2099-12-31T23:00:00Z' where id = ${budgets[2].id}`
  await sql`update budget set status = 'accepted', decided_at = now() where id = ${budgets[2].id}`
})
afterAll(() => instance.close())

async function list(query = ''): Promise<any> {
  const { status, body } = await staff.get(`${BUDGETS}${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
const found = async (query: string) =>
  (await list(query)).data.map((row: any) => budgets.findIndex(budget => budget.id === row.id))

describe('the list', () => {
  it('shows the newest first, with totals and counts per state', async () => {
    const body = await list()
    expect(body).toMatchObject({
      total: 4, total_is_exact: true, page: 1, page_size: 20,
      counts: { draft: 2, sent: 1, accepted: 1, rejected: 0, expired: 0, cancelled: 0, superseded: 0 }
    })
    expect(body.data.map((row: any) => row.number)).toEqual(budgets.map(budget => budget.number).reverse())
    expect(body.data[2]).toMatchObject({
      status: 'sent',
      locked: true,
      total: '242.00',
      patient: { last_name: 'Núñez' },
      professional: { name: 'Elena Vidal' },
      delivery: 'none'
    })
    expect(body.data[3]).toMatchObject({ status: 'draft', locked: false, locked_until: null, valid_until: null })
  })

  it.each([
    ['?status=draft', [3, 0]],
    ['?status=draft&status=accepted', [3, 2, 0]],
    ['?search=nunez', [3, 1]],
    ['?search=N%C3%9A%C3%91EZ%20%C3%A1lvaro', [3, 1]],
    ['?search=0002', [1]],
    ['?search=pres-2026-0003'.replace('2026', String(new Date().getFullYear())), [2]],
    ['?search=%5C%27%20%26', []],
    ['?search=pres-%20mu%C3%B1oz', [2, 0]],
    ['?search=%25', []],
    ['?search=_', []],
    [`?search=${encodeURIComponent('㌖'.repeat(200))}`, []], // much longer after normalisation
    ['?search=', [3, 2, 1, 0]],
    ['?locked=true', [1]],
    ['?locked=false', [3, 2, 0]],
    ['?expires_before=2099-07-01', [1]],
    ['?expires_before=2099-06-30', []],
    ['?expires_before=2099-12-31T23:00:01Z', [2, 1]],
    ['?page=2&page_size=3', [0]],
    ['?page=9', []]
  ])('%s', async (query, expected) => {
    expect(await found(query)).toEqual(expected)
  })

  it('can be filtered by patient and professional', async () => {
    expect(await found(`?patient_id=${nunez.id}`)).toEqual([3, 1])
    expect(await found(`?professional_id=${vidal.id}&status=sent`)).toEqual([1])
    expect(await found('?patient_id=00000000-0000-4000-8000-000000000000')).toEqual([])
  })

  it.each([
    ['created_at', [0, 1, 2, 3]], ['-created_at', [3, 2, 1, 0]],
    ['number', [0, 1, 2, 3]], ['-number', [3, 2, 1, 0]],
    ['total', [0, 1, 2, 3]], ['-total', [3, 2, 1, 0]],
    ['valid_until', [1, 2]], ['-valid_until', [2, 1]],
    ['sent_at', [1, 2]], ['-sent_at', [2, 1]],
    ['decided_at', [2]], ['-decided_at', [2]]
  ])('with sort=%s has budgets without such a value last', async (sort, expected) => {
    expect((await found(`?sort=${sort}`)).slice(0, expected.length)).toEqual(expected)
  })

  it('counts with the other filters, not with the filter by state', async () => {
    const body = await list('?search=nunez&status=sent')
    expect([body.total, body.counts.draft, body.counts.sent, body.counts.accepted]).toEqual([1, 1, 1, 0])
  })

  it('counts a state once if it is requested twice', async () => {
    const { data, total } = await list('?status=draft&status=draft')
    expect([data.length, total]).toEqual([2, 2])
  })

  it('puts number 10000 of a year after 9999', async () => {
    const clinic = await instance.anotherClinic()
    await instance.sql`insert into budget (clinic_id, number, patient_id, patient_first_name, patient_last_name, currency, locale, time_zone)
      select ${clinic.id}, number, gen_random_uuid(), 'A', 'B', 'EUR', 'es', 'UTC' from unnest(array['PRES-2026-10000', 'PRES-2026-9999', 'PRES-2027-0001']) number`
    const { body } = await (await instance.as('admin', clinic)).get(`${BUDGETS}?sort=number`)
    expect(body.data.map((row: any) => row.number)).toEqual(['PRES-2026-9999', 'PRES-2026-10000', 'PRES-2027-0001'])
  })

  it('shows a budget past its validity as expired before the job has run, as its detail does', async () => {
    const clinic = await instance.anotherClinic()
    const other = await instance.as('admin', clinic)
    const there = { ...instance, clinic, as: () => Promise.resolve(other) }
    const { id: patient_id } = await aPatient(other)
    const [over, open] = [(await aDraft(there, { patient_id })).id, (await aDraft(there, { patient_id })).id]
    await instance.sql`update budget set status = 'sent', sent_at = now() - interval '1 day', valid_until = '2099-01-02', expires_at = now() + interval '1 day' where id = ${open}`
    await instance.sql`update budget set status = 'sent', sent_at = now() - interval '2 days', valid_until = '2099-01-01', expires_at = now() - interval '1 second' where id = ${over}`
    const read = async (query: string) => (await other.get(`${BUDGETS}${query}`)).body
    // The job skips locked rows.
    await instance.sql.begin(async (tx) => {
      expect(await tx`select status from budget where id = ${over} for update`).toEqual([{ status: 'sent' }])
      const counts = { draft: 0, sent: 1, accepted: 0, rejected: 0, expired: 1, cancelled: 0, superseded: 0 }
      for (const others of [
        '',
        '&search=munoz',
        '&locked=false',
        '&expires_before=2099-12-31',
        `&patient_id=${patient_id}`
      ]) {
        expect(await read(`?sort=created_at${others}`), others).toMatchObject({
          data: [
            { id: over, status: 'expired' },
            { id: open, status: 'sent' }
          ],
          total: 2,
          counts
        })
        expect(await read(`?status=sent${others}`), others).toMatchObject({
          data: [{ id: open, status: 'sent' }],
          total: 1,
          counts
        })
        for (const sort of ['number', '-valid_until', 'sent_at', '-total']) {
          expect(await read(`?status=expired&status=rejected&sort=${sort}${others}`), others).toMatchObject({
            data: [{ id: over, status: 'expired' }],
            total: 1,
            counts
          })
        }
        expect((await read(`?status=sent&status=expired${others}`)).total, others).toBe(2)
      }
      expect((await read(`/${over}`)).data.status).toBe('expired')
    })
  })

  it('keeps its counts when they are folded, even twice at once', async () => {
    const before = (await list()).counts
    const { foldCounts } = await import('../../../layers/budget/server/db/reports/counts.ts')
    await Promise.all([foldCounts(instance.runtime.host.db), foldCounts(instance.runtime.host.db)])
    expect((await list()).counts).toEqual(before)
  })

  it('shows nothing of another clinic', async () => {
    const stranger = await instance.as('admin', await instance.anotherClinic())
    const { body } = await stranger.get(BUDGETS)
    expect([body.data, body.total]).toEqual([[], 0])
  })

  it.each([
    '?status=open',
    '?page=0',
    '?page_size=101',
    '?page=1&page=2',
    '?sort=name',
    '?patient_id=x',
    '?locked=yes',
    '?expires_before=soon',
    '?expires_before=0000-01-01',
    '?foo=1',
    '?search=a%00'
  ])('refuses %s', async (query) => {
    const { status, body } = await staff.get(`${BUDGETS}${query}`)
    expect([status, body.code]).toEqual([422, 'validation_failed'])
  })
})
