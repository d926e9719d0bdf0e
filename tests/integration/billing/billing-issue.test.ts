import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { anInvoice, anIssuedInvoice, INVOICES, someInvoices } from '../../support/documents/invoices.ts'

const YEAR = new Intl.DateTimeFormat('en', { timeZone: 'Europe/Madrid', year: 'numeric' }).format(new Date())

let instance: Instance
let staff: Caller
beforeAll(async () => {
  instance = await anInstance()
  staff = await instance.as('receptionist')
})
afterAll(() => instance.close())

const issue = (id: string, caller = staff, headers: Record<string, string> = {}) =>
  caller.post(`${INVOICES}/${id}/issue`, undefined, { headers })
const cancel = (id: string, body: unknown = { reason: 'Written twice.' }, headers: Record<string, string> = {}) =>
  staff.post(`${INVOICES}/${id}/cancel`, body, { headers })
const pay = (id: string, amount: string) => staff.post(`${INVOICES}/${id}/payments`, { amount, method: 'card' })
const numbered = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => `INV-${YEAR}-${String(from + at).padStart(4, '0')}`)

describe('the number of an invoice', () => {
  it('is assigned at issue, with the day in the clinic\'s time zone and the person who issued it', async () => {
    const clinic = await instance.anotherClinic()
    const there = await instance.as('admin', clinic)
    const { status, body, headers } = await issue(await anInvoice(instance, { clinic }), there)
    expect([status, headers.get('etag')]).toEqual([200, '"2"'])
    expect(body.data).toMatchObject({
      status: 'issued',
      number: `INV-${YEAR}-0001`,
      paid: '0.00',
      due: '121.00',
      issued_by: { name: expect.any(String) }
    })
    expect(body.data.issued_on).toBe(
      new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Madrid' }).format(new Date(body.data.issued_at))
    )
  })

  it('has no gaps and no duplicates when fifty are issued at once, and grows with the time of issue', async () => {
    const ids = await someInvoices(instance, 50)
    const answers = await Promise.all(ids.map(id => issue(id)))
    expect(answers.map(({ status }) => status)).toEqual(ids.map(() => 200))
    expect(answers.map(({ body }) => body.data.number).sort()).toEqual(numbered(1, 50))
    const rows
      = await instance.sql`select number from billing_invoice where clinic_id = ${instance.clinic.id} and number is not null order by issued_at, number`
    expect(rows.map(row => row.number)).toEqual(numbered(1, 50))
  })

  it('is assigned once to one invoice, even if many requests come at once, and a refused issue uses none', async () => {
    const id = await anInvoice(instance)
    const answers = await Promise.all(Array.from({ length: 10 }, () => issue(id)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const refused = answers.find(({ status }) => status !== 200)!
    expect([refused.status, refused.body.code, refused.body.detail]).toEqual([
      409,
      'wrong_state',
      'This invoice was issued already. Record its payments, or cancel it.'
    ])
    await cancel(await anInvoice(instance))
    const next = await anIssuedInvoice(instance, staff)
    expect(next.number).toBe(numbered(52, 1)[0])
  })

  it('is available again when its transaction fails', async () => {
    const clinic = await instance.anotherClinic()
    const { takeNumber } = await import('../../../layers/billing/server/db/numbers.ts')
    const lost = instance.runtime.host.db.transaction(async (tx) => {
      expect((await takeNumber(tx, { clinic_id: clinic.id, year: Number(YEAR) })).number).toBe(numbered(1, 1)[0])
      throw new Error('the connection is lost')
    })
    await expect(lost).rejects.toThrow('the connection is lost')
    expect((await anIssuedInvoice(instance, await instance.as('admin', clinic), { clinic })).number).toBe(
      numbered(1, 1)[0]
    )
  })

  it('starts at one in each year and clinic, by the year in the clinic\'s time zone', async () => {
    const clinic = await instance.anotherClinic()
    await instance.sql`insert into billing_number (clinic_id, year, last) values (${clinic.id}, ${Number(YEAR) - 1}, 77)`
    const first = await anIssuedInvoice(instance, await instance.as('admin', clinic), { clinic })
    expect(first.number).toBe(numbered(1, 1)[0])
    const { yearIn } = await import('../../../layers/billing/shared/domain/calendar.ts')
    expect(yearIn('Europe/Madrid', new Date('2026-12-31T23:30Z'))).toBe(2027)
    expect(yearIn('America/Bogota', new Date('2027-01-01T04:30Z'))).toBe(2026)
  })

  it('never has an earlier time than the number before it', async () => {
    const clinic = await instance.anotherClinic()
    await instance.sql`insert into billing_number (clinic_id, year, last, last_at) values (${clinic.id}, ${Number(YEAR)}, 3, now() + interval '2 seconds')`
    const invoice = await anIssuedInvoice(instance, await instance.as('admin', clinic), { clinic })
    const [{ last_at }] = await instance.sql`select last_at from billing_number where clinic_id = ${clinic.id}`
    expect([invoice.number, invoice.issued_at]).toEqual([numbered(4, 1)[0], last_at.toISOString()])
  })
})

describe('the states of an invoice', () => {
  /** The response to issue, pay and cancel in each state. */
  it.each([
    ['draft', [200, 409, 200]],
    ['issued', [409, 201, 200]],
    ['partly paid', [409, 201, 409]],
    ['paid', [409, 409, 409]],
    ['cancelled', [409, 409, 409]]
  ])('%s', async (state, expected) => {
    const statuses = []
    for (const act of [issue, (id: string) => pay(id, '1.00'), cancel]) {
      const { status, body } = await act(await anInvoiceIn(state))
      statuses.push(status)
      if (status === 409)
        expect([body.code, body.detail]).toEqual(['wrong_state', expect.stringMatching(/\. .*\.$|already\.$/)])
    }
    expect(statuses).toEqual(expected)
  })

  async function anInvoiceIn(state: string): Promise<string> {
    const id = await anInvoice(instance)
    if (state === 'cancelled') await cancel(id)
    if (['issued', 'partly paid', 'paid'].includes(state)) await issue(id)
    if (state === 'partly paid') await pay(id, '21.00')
    if (state === 'paid') await pay(id, '121.00')
    return id
  }

  it('an invoice with a total of zero is paid when it is issued', async () => {
    expect(await anIssuedInvoice(instance, staff, { total: 0 })).toMatchObject({
      status: 'paid',
      total: '0.00',
      due: '0.00'
    })
  })

  it('a stale If-Match is 412 and changes nothing; the current one is accepted', async () => {
    const id = await anInvoice(instance)
    expect((await issue(id, staff, { 'if-match': '"7"' })).status).toBe(412)
    const { headers } = await staff.get(`${INVOICES}/${id}`)
    expect((await issue(id, staff, { 'if-match': headers.get('etag')! })).status).toBe(200)
    const stale = await cancel(id, { reason: 'No' }, { 'if-match': headers.get('etag')! })
    expect([stale.status, stale.body.code]).toEqual([412, 'precondition_failed'])
    expect((await staff.get(`${INVOICES}/${id}`)).body.data.status).toBe('issued')
  })
})

describe('cancelling an invoice', () => {
  it('needs a reason, and keeps it with the person of a draft; an issued invoice is credited and keeps its number', async () => {
    const { id, number } = await anIssuedInvoice(instance, staff)
    for (const body of [{}, { reason: ' ' }, { reason: 'a\u0000' }]) expect((await cancel(id, body)).status).toBe(422)
    const { body } = await cancel(id, { reason: 'The insurer pays.' })
    expect(body.data).toMatchObject({ status: 'credited', number, cancelled_at: null })
    const draft = await cancel(await anInvoice(instance), { reason: 'The insurer pays.' })
    expect(draft.body.data).toMatchObject({
      status: 'cancelled',
      number: null,
      cancel_reason: 'The insurer pays.',
      cancelled_by: { name: expect.any(String) },
      cancelled_at: expect.any(String)
    })
  })

  it('leaves a cancelled draft without a number', async () => {
    const { body } = await cancel(await anInvoice(instance))
    expect(body.data).toMatchObject({ status: 'cancelled', number: null, issued_at: null })
  })

  it('and paying it at the same time: exactly one of the two succeeds', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await anIssuedInvoice(instance, staff)
      const [cancelled, paid] = await Promise.all([cancel(id), pay(id, '121.00')])
      expect([[200, 409], [409, 201]]).toContainEqual([cancelled.status, paid.status])
    }
  })
})

describe('the database', () => {
  it('keeps an issued invoice, its lines and its number unchanged, even by SQL', async () => {
    const { sql } = instance
    const { id } = await anIssuedInvoice(instance, staff)
    const refused = /cannot be changed|can be deleted/
    for (const change of [
      sql`update billing_invoice set total = 1 where id = ${id}`,
      sql`update billing_invoice set tax_total = 1 where id = ${id}`,
      sql`update billing_invoice set patient_last_name = 'Other' where id = ${id}`,
      sql`update billing_invoice set number = 'INV-2026-9999' where id = ${id}`,
      sql`update billing_invoice set issued_at = now() - interval '1 year' where id = ${id}`,
      sql`update billing_invoice set issuer = '{}' where id = ${id}`,
      sql`delete from billing_invoice where id = ${id}`,
      sql`update billing_invoice_line set price = 1 where invoice_id = ${id}`,
      sql`delete from billing_invoice_line where invoice_id = ${id}`,
      sql`insert into billing_invoice_line (invoice_id, clinic_id, position, treatment_id, code, name, quantity, vat, price, tax) values (${id}, ${instance.clinic.id}, 9, gen_random_uuid(), 'X', '{}', 1, 0, 1, 0)`
    ])
      await expect(change).rejects.toThrow(refused)
  })

  it('refuses transitions that are not in the state table', async () => {
    const { sql } = instance
    const { id } = await anIssuedInvoice(instance, staff)
    await expect(sql`update billing_invoice set status = 'draft' where id = ${id}`).rejects.toThrow(
      'cannot go from issued to draft'
    )
    await expect(sql`update billing_invoice set status = 'paid' where id = ${id}`).rejects.toThrow('not paid in full')
    await cancel(id)
    await expect(sql`update billing_invoice set status = 'issued' where id = ${id}`).rejects.toThrow(
      'cannot go from credited to issued'
    )
  })

  it('allows a draft and its lines to be deleted', async () => {
    const id = await anInvoice(instance)
    await instance.sql`delete from billing_invoice where id = ${id}`
    expect(await instance.sql`select 1 from billing_invoice_line where invoice_id = ${id}`).toHaveLength(0)
  })
})

describe('access to invoices', () => {
  it('needs billing.write for changes: 403 Permission denied: billing.write', async () => {
    const { id } = await anIssuedInvoice(instance, staff)
    const dentist = await instance.as('dentist')
    for (const [path, body] of [
      ['issue', undefined],
      ['payments', { amount: '1.00', method: 'cash' }],
      ['cancel', { reason: 'No' }]
    ] as const) {
      const answer = await dentist.post(`${INVOICES}/${id}/${path}`, body)
      expect([answer.status, answer.body.detail], path).toEqual([403, 'Permission denied: billing.write'])
      expect((await instance.anonymous().post(`${INVOICES}/${id}/${path}`, body)).status).toBe(401)
    }
    expect((await dentist.get(`${INVOICES}/${id}`)).status).toBe(200)
  })

  it('is 404 for ids that are unknown, malformed or another clinic\'s', async () => {
    const other = await instance.as('admin', await instance.anotherClinic())
    const { id } = await anIssuedInvoice(instance, staff)
    for (const wrong of [id, '00000000-0000-4000-8000-000000000000', 'x']) {
      for (const [path, body] of [
        ['issue', undefined],
        ['payments', { amount: '1.00', method: 'cash' }],
        ['cancel', { reason: 'No' }]
      ] as const) {
        expect((await other.post(`${INVOICES}/${wrong}/${path}`, body)).status, `${wrong} ${path}`).toBe(404)
      }
    }
    expect((await staff.get(`${INVOICES}/${id}`)).body.data).toMatchObject({ status: 'issued', paid: '0.00' })
  })
})
