import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inspectPdf } from '@svc/sheet/pdf/inspect.ts'
import type { Caller } from '../../support/caller.ts'
import { aDatabaseClock } from '../../support/database/database-clock.ts'
import { anInvoice, INVOICES } from '../../support/documents/invoices.ts'
import { loadDocuments } from '../../support/documents/load-documents.ts'
import { anInstance, type Instance } from '../../support/instance.ts'

let instance: Instance
let clock: Awaited<ReturnType<typeof aDatabaseClock>>
beforeAll(async () => {
  instance = await anInstance()
  clock = await aDatabaseClock(instance)
  await loadDocuments()
})
afterAll(() => instance.close())

/** A clinic, and a member who is signed in. Sessions end when the clock moves on. */
interface Place { clinic: { id: string }, staff: Caller }

/** A clinic with a tax number in this country. */
async function aClinicIn(country: string, fields: object = {}): Promise<Place> {
  const clinic = await instance.anotherClinic()
  const admin = await instance.as('admin', clinic)
  const { status, body } = await admin.patch('/api/v1/clinic', { country, tax_number: 'B12345674', ...fields })
  expect(status, JSON.stringify(body)).toBe(200)
  return { clinic, staff: admin }
}

const setTaxpayer = async ({ staff }: Place, taxpayer: string) =>
  expect((await staff.patch('/api/v1/clinic/settings/billing', { taxpayer })).status).toBe(200)

async function issueOne({ clinic, staff }: Place, fields: { locale?: string } = {}): Promise<any> {
  const { status, body } = await staff.post(`${INVOICES}/${await anInvoice(instance, { clinic, ...fields })}/issue`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data
}

const pdfOf = async ({ staff }: Place, id: string, locale = 'en') =>
  (await inspectPdf((await staff.get(`${INVOICES}/${id}/pdf?locale=${locale}`)).bytes)).text
    .replaceAll('\u00A0', ' ').replaceAll(/\s+/g, ' ')

describe('a clinic in Portugal', () => {
  it('cannot issue anything but a pro forma, today and in any year', async () => {
    await clock.set('2026-11-27T12:00:00Z')
    const place = await aClinicIn('PT', { time_zone: 'Europe/Lisbon' })
    for (const [at, role] of [['2026-11-27T12:00:00Z', 'admin'], ['2031-03-01T12:00:00Z', 'receptionist']] as const) {
      await clock.set(at)
      const there = { ...place, staff: await instance.as(role, place.clinic) }
      const draft = await anInvoice(instance, place)
      expect((await there.staff.get(`${INVOICES}/${draft}`)).body.data).toMatchObject({
        title: null, pro_forma: true, pro_forma_reason: 'certified_program'
      })
      const issued = await issueOne(there, { locale: 'pt' })
      expect(issued).toMatchObject({ title: 'pro_forma', pro_forma: true, pro_forma_reason: 'certified_program' })
      expect(issued.number).toBe(`PF-${at.slice(0, 4)}-0001`)
      const text = await pdfOf(there, issued.id, 'pt')
      expect(text).toContain('pró-forma')
      expect(text).toContain('Este documento não serve de fatura.')
    }
  })

  it('uses no number of the invoices for its pro formas, and the numbers have no gaps', async () => {
    await clock.set('2026-11-27T12:00:00Z')
    const place = await aClinicIn('PT')
    const drafts = await Promise.all(Array.from({ length: 12 }, () => anInvoice(instance, place)))
    const answers = await Promise.all(drafts.map(id => place.staff.post(`${INVOICES}/${id}/issue`)))
    expect(answers.map(({ body }) => body.data.number).sort()).toEqual(
      drafts.map((_, at) => `PF-2026-${String(at + 1).padStart(4, '0')}`)
    )
    await place.staff.patch('/api/v1/clinic', { country: 'FR' })
    expect(await issueOne(place)).toMatchObject({ number: 'INV-2026-0001', title: 'invoice', pro_forma_reason: null })
  })

  it('exports its pro formas by line for the certified program', async () => {
    await clock.set('2026-11-27T12:00:00Z')
    const place = await aClinicIn('PT')
    const first = await issueOne(place)
    const second = await issueOne(place)
    await anInvoice(instance, place)
    await place.staff.patch('/api/v1/clinic', { country: 'FR' })
    await issueOne(place)
    const { status, bytes } = await place.staff.get('/api/v1/billing/pro-formas/export.csv')
    expect(status).toBe(200)
    const rows: Record<string, string>[] = parse(bytes, { bom: true, columns: true })
    expect(rows.map(row => row.number)).toEqual([first.number, second.number])
    expect(rows[0]).toMatchObject({
      issued_on: first.issued_on, status: 'issued', reason: 'certified_program', patient_first_name: 'Lucía', line: '1',
      code: 'T-1', name: 'Empaste', quantity: '1', currency: 'EUR', net: '100.00', vat: '21', tax: '21.00',
      price: '121.00', cancelled_at: ''
    })
    const invoices: Record<string, string>[]
      = parse((await place.staff.get(`${INVOICES}/export.csv?sort=issued_at`)).bytes, { bom: true, columns: true })
    expect(invoices.map(({ title }) => title)).toEqual(['pro_forma', 'pro_forma', 'invoice', ''])
  })
})

describe('a clinic in Spain', () => {
  it.each([
    ['company', '2026-12-31T22:59:00Z', 'invoice'],
    ['company', '2026-12-31T23:01:00Z', 'pro_forma'],
    ['company', '2028-05-01T12:00:00Z', 'pro_forma'],
    ['other', '2027-01-15T12:00:00Z', 'invoice'],
    ['other', '2027-06-30T21:59:00Z', 'invoice'],
    ['other', '2027-06-30T22:01:00Z', 'pro_forma']
  ])('as a taxpayer of the kind %s at %s issues: %s', async (taxpayer, at, title) => {
    await clock.set(at)
    const place = await aClinicIn('ES', { time_zone: 'Europe/Madrid' })
    await setTaxpayer(place, taxpayer)
    expect(await issueOne(place)).toMatchObject({
      title, pro_forma_reason: title === 'pro_forma' ? 'verifactu' : null
    })
  })

  it('is a company unless it says otherwise, and its own zone decides the day', async () => {
    await clock.set('2026-12-31T23:30:00Z')
    expect(await issueOne(await aClinicIn('ES', { time_zone: 'Europe/Madrid' }))).toMatchObject({
      number: 'PF-2027-0001', pro_forma_reason: 'verifactu'
    })
    expect(await issueOne(await aClinicIn('ES', { time_zone: 'Atlantic/Canary' }))).toMatchObject({
      number: 'INV-2026-0001', pro_forma_reason: null
    })
  })

  it('keeps the invoices that it issued before, as they were', async () => {
    await clock.set('2026-12-30T12:00:00Z')
    const place = await aClinicIn('ES')
    const before = await issueOne(place)
    await clock.set('2027-02-01T12:00:00Z')
    const there = { ...place, staff: await instance.as('receptionist', place.clinic) }
    expect((await there.staff.get(`${INVOICES}/${before.id}`)).body.data).toMatchObject({
      number: before.number, title: 'invoice', pro_forma: false, pro_forma_reason: null
    })
    const text = await pdfOf(there, before.id)
    expect(text).toContain('Invoice')
    expect(text).not.toContain('Pro forma')
    expect(await pdfOf(there, (await issueOne(there)).id)).toContain('with VeriFactu records.')
    await expect(instance.sql`update billing_invoice set pro_forma_reason = 'verifactu' where id = ${before.id}`)
      .rejects.toThrow(/cannot be changed/)
  })
})

it('a pro forma is due, paid and reported like an invoice', async () => {
  await clock.set('2026-11-27T12:00:00Z')
  const place = await aClinicIn('PT')
  const { id, due } = await issueOne(place)
  expect(due).toBe('121.00')
  const paid = await place.staff.post(`${INVOICES}/${id}/payments`, { amount: '121.00', method: 'card' })
  expect(paid.body.data).toMatchObject({ status: 'paid', due: '0.00' })
  const { totals } = (await place.staff.get('/api/v1/reports/acceptance?from=2026-11-01&to=2026-11-30')).body.data
  expect(totals).toMatchObject({ invoices: 1, invoiced_amount: '121.00' })
})
