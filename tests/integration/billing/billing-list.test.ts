import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { anInvoice, INVOICES } from '../../support/documents/invoices.ts'

let instance: Instance
let staff: Caller
/**
 * 0: Muñoz draft 121.00 · 1: Núñez issued 0001, 242.00 · 2: Muñoz paid 0002, 363.00 · 3: Núñez credited 0003, 484.00 ·
 * 4: the credit note of 3
 */
let ids: string[]

beforeAll(async () => {
  instance = await anInstance()
  staff = await instance.as('receptionist')
  ids = []
  for (const total of [12_100, 24_200, 36_300, 48_400]) {
    const person = ids.length % 2 ? { first_name: 'Álvaro', last_name: 'Núñez' } : {}
    ids.push(await anInvoice(instance, { total, ...person }))
    await instance.sql`update billing_invoice set created_at = now() + (${ids.length} - 60) * interval '1 second', budget_number = ${`PRES-2026-004${ids.length}`} where id = ${ids.at(-1)!}`
  }
  for (const id of ids.slice(1)) expect((await staff.post(`${INVOICES}/${id}/issue`)).status).toBe(200)
  expect((await staff.post(`${INVOICES}/${ids[2]}/payments`, { amount: '363.00', method: 'card' })).status).toBe(201)
  const { status, body } = await staff.post(`${INVOICES}/${ids[3]}/cancel`, { reason: 'No' })
  expect(status).toBe(200)
  ids.push(body.data.credit_notes[0].id)
})
afterAll(() => instance.close())

const list = async (query = '') => {
  const { status, body } = await staff.get(`${INVOICES}${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
const found = async (query: string) => (await list(query)).data.map((row: any) => ids.indexOf(row.id))

describe('the list', () => {
  it('shows the newest first, with paid and due amounts, and counts by status', async () => {
    const body = await list()
    expect(body).toMatchObject({
      total: 5,
      page: 1,
      page_size: 20,
      counts: { draft: 1, issued: 2, paid: 1, credited: 1, cancelled: 0 }
    })
    expect(body.data.map((row: any) => [row.total, row.paid, row.due])).toEqual([
      ['-484.00', '0.00', '0.00'],
      ['484.00', '0.00', '0.00'],
      ['363.00', '363.00', '0.00'],
      ['242.00', '0.00', '242.00'],
      ['121.00', '0.00', '121.00']
    ])
  })

  it.each([
    ['?status=draft', [0]],
    ['?status=paid&status=issued', [4, 2, 1]],
    ['?status=paid&status=paid', [2]],
    ['?search=nunez', [4, 3, 1]],
    ['?search=N%C3%9A%C3%91EZ%20%C3%A1lvaro', [4, 3, 1]],
    ['?search=mu%C3%B1oz%20inv-', [2]],
    ['?search=0002', [2]],
    ['?search=pres-2026-0042', [1]],
    ['?search=42', [1]],
    ['?search=%5C%27%20%26', []],
    ['?search=%25', []],
    [`?search=${encodeURIComponent('㌖'.repeat(200))}`, []], // much longer after normalisation
    ['?search=', [4, 3, 2, 1, 0]],
    ['?search=nunez&status=credited', [3]],
    ['?page=2&page_size=3', [1, 0]],
    ['?page=9', []],
    ['?sort=created_at', [0, 1, 2, 3, 4]],
    ['?sort=number', [4, 1, 2, 3, 0]],
    ['?sort=-number', [3, 2, 1, 4, 0]],
    ['?sort=issued_at', [1, 2, 3, 4, 0]],
    ['?sort=-issued_at', [4, 3, 2, 1, 0]],
    ['?sort=total', [4, 0, 1, 2, 3]],
    ['?sort=-total', [3, 2, 1, 0, 4]]
  ])('%s', async (query, expected) => {
    expect(await found(query)).toEqual(expected)
  })

  it('counts with the other filters, not with the status filter', async () => {
    expect(await list('?search=nunez&status=issued')).toMatchObject({
      total: 2,
      counts: { draft: 0, issued: 2, paid: 0, credited: 1, cancelled: 0 }
    })
  })

  it('sorts number 10000 of a year after 9999', async () => {
    const clinic = await instance.anotherClinic()
    await instance.sql`
      insert into billing_invoice (clinic_id, budget_id, budget_number, budget_version, patient_id, patient_first_name, patient_last_name, currency, locale, total, tax_total, status, number, issued_at)
      select ${clinic.id}, gen_random_uuid(), 'PRES-2026-0001', 1, gen_random_uuid(), 'A', 'B', 'EUR', 'es', 1, 0, 'issued', number, now() from unnest(array['INV-2026-10000', 'INV-2026-9999', 'INV-2027-0001']) number`
    const admin = await instance.as('admin', clinic)
    const numbers = async (sort: string) =>
      (await admin.get(`${INVOICES}?sort=${sort}`)).body.data.map((row: any) => row.number)
    expect(await numbers('number')).toEqual(['INV-2026-9999', 'INV-2026-10000', 'INV-2027-0001'])
    expect(await numbers('-number')).toEqual(['INV-2027-0001', 'INV-2026-10000', 'INV-2026-9999'])
  })

  it('finds nothing of another clinic by any word or id', async () => {
    const stranger = await instance.as('admin', await instance.anotherClinic())
    for (const query of ['', '?search=nunez', '?search=0002', '?status=paid']) {
      expect((await stranger.get(`${INVOICES}${query}`)).body).toMatchObject({
        data: [],
        total: 0,
        counts: { draft: 0, issued: 0, paid: 0, cancelled: 0 }
      })
    }
  })

  it.each([
    '?status=open',
    '?page=0',
    '?page_size=101',
    '?sort=name',
    '?patient_id=x',
    '?budget_id=x',
    '?foo=1',
    '?search=a%00'
  ])('refuses %s', async (query) => {
    const { status, body } = await staff.get(`${INVOICES}${query}`)
    expect([status, body.code]).toEqual([422, 'validation_failed'])
  })
})
