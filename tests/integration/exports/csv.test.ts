import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unescapeCell } from '@svc/kit/csv'
import { aDraft, aPatient, aTreatment, BUDGETS } from '../../support/builders.ts'
import type { Caller } from '../../support/caller.ts'
import { anInvoice, INVOICES } from '../../support/documents/invoices.ts'
import { anInstance, type Instance } from '../../support/instance.ts'

const PATIENTS = '/api/v1/clinical/patients'
const TREATMENTS = '/api/v1/catalog/treatments'
const PAYMENTS = '/api/v1/billing/payments'
const PRO_FORMAS = '/api/v1/billing/pro-formas'
const REPORT = '/api/v1/reports/acceptance'
/** Texts that a spreadsheet would run or interpret as something else. */
const HOSTILE = ['=1+1', '+34-1', '-cmd', '@SUM(A1)', '\t=1', '\r\n=1', '\'quoted', '"a";b,c', 'two\nlines', '-12.50']

let instance: Instance
let staff: Caller

beforeAll(async () => {
  instance = await anInstance()
  staff = await instance.as('admin')
})
afterAll(() => instance.close())

/** Rows by the names of their columns, without the apostrophes that only spreadsheets need. */
function rowsOf(bytes: Buffer): Record<string, string>[] {
  const rows: Record<string, string>[] = parse(bytes, { bom: true, columns: true, record_delimiter: '\r\n' })
  return rows.map(row => Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, unescapeCell(cell)])))
}

async function exported(path: string, caller = staff): Promise<Record<string, string>[]> {
  const { status, bytes } = await caller.get(path)
  expect(status, bytes.toString()).toBe(200)
  return rowsOf(bytes)
}

describe('a CSV file', () => {
  it.each([
    [PATIENTS, 'patients', 'external_id,first_name,last_name,email,phone,date_of_birth,locale,tax_number,address,notes'],
    [
      TREATMENTS,
      'treatments',
      'external_id,code,name_en,name_es,name_fr,name_de,name_pt,name_ar,description_en,description_es,description_fr,description_de,description_pt,description_ar,category,unit_price,vat,active,counts,surfaces'
    ],
    [BUDGETS, 'budgets', expect.stringContaining('number,version,status')],
    [INVOICES, 'invoices', expect.stringContaining('total,tax,paid,due')],
    [PRO_FORMAS, 'pro-formas', expect.stringContaining('net,vat,tax,price')],
    [PAYMENTS, 'payments', expect.stringContaining('paid_at,amount,currency,method')],
    [`${REPORT}`, 'acceptance-', expect.stringContaining('month,currency,sent')]
  ])('of %s is an attachment in UTF-8 with a byte order mark', async (list, name, columns) => {
    const path = `${list}/export.csv`
    const { status, headers, bytes } = await staff.get(path)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
    expect(headers.get('content-disposition')).toMatch(new RegExp(`^attachment; filename="${name}[-0-9]*\\.csv"$`))
    expect(bytes.subarray(0, 3).toString('hex')).toBe('efbbbf')
    expect(bytes.subarray(3).toString().split('\r\n')[0]).toEqual(columns)
    const head = await staff.head(path)
    expect([head.status, head.bytes.length, head.headers.get('content-disposition')]).toEqual([
      200,
      0,
      headers.get('content-disposition')
    ])
  })

  it('needs the permission of the list, and accepts no pages', async () => {
    for (const list of [PATIENTS, TREATMENTS, BUDGETS, INVOICES, PAYMENTS, PRO_FORMAS, REPORT]) {
      expect((await instance.anonymous().get(`${list}/export.csv`)).status, list).toBe(401)
      expect((await staff.get(`${list}/export.csv?page=2`)).status, list).toBe(422)
    }
    const hygienist = await instance.as('hygienist')
    for (const list of [INVOICES, PAYMENTS, PRO_FORMAS]) expect((await hygienist.get(`${list}/export.csv`)).status, list).toBe(403)
  })
})

it('an export is in the audit log, with the names of the filters and without the search words', async () => {
  await staff.get(`${PATIENTS}/export.csv?search=secret`)
  await staff.head(`${PATIENTS}/export.csv?search=headless`)
  const rows = await instance.sql`
    select actor_type, target_kind, target_id, detail from core_audit where action = 'export_read' order by seq desc limit 2`
  expect(rows[0]).toEqual({
    actor_type: 'user',
    target_kind: 'list',
    target_id: `${PATIENTS}/export.csv`,
    detail: { filters: ['search'] }
  })
  expect(rows[1]?.detail).not.toEqual({ filters: ['search'] })
})

describe('exported patients', () => {
  it('are those of the list, in its order, with complete texts', async () => {
    const nasty = await Promise.all(HOSTILE.map((notes, index) =>
      aPatient(staff, { last_name: 'Hostile', notes, external_ids: { import: `=${index}`, other: `x${index}` } })))
    const rows = await exported(`${PATIENTS}/export.csv?search=hostile`)
    const listed = (await staff.get(`${PATIENTS}?search=hostile&page_size=100`)).body.data
    expect(rows.map(row => row.notes)).toEqual(listed.map((row: any) => row.notes))
    expect(rows.map(row => row.notes).sort()).toEqual(nasty.map(row => row.notes).sort())
    expect(rows.map(row => row.external_id)).toEqual(listed.map((row: any) => row.external_ids.import))
    expect(rows[0]).toMatchObject({ first_name: 'Lucía', last_name: 'Hostile', email: 'lucia@patient.test' })
  })

  it('have no cell that begins as a formula', async () => {
    const { bytes } = await staff.get(`${PATIENTS}/export.csv?search=hostile`)
    const cells = parse(bytes, { bom: true, record_delimiter: '\r\n' }).flat()
    expect(cells.filter(cell => /^[=+\-@\t\r]/.test(cell))).toEqual(['-12.50'])
  })

  it('are only the clinic\'s own, without those whose data was erased', async () => {
    const { id } = await aPatient(staff, { last_name: 'Gone' })
    const other = await instance.as('admin', await instance.anotherClinic())
    await aPatient(other, { last_name: 'Elsewhere' })
    await instance.sql`update clinical_patient set erased_at = now() where id = ${id}`
    const names = (await exported(`${PATIENTS}/export.csv`)).map(row => row.last_name)
    expect(names).not.toContain('Elsewhere')
    expect(names).not.toContain('Gone')
    expect((await exported(`${PATIENTS}/export.csv`, other)).map(row => row.last_name)).toEqual(['Elsewhere'])
  })
})

it('exported treatments have their texts in each language, and prices as the clinic enters them', async () => {
  await aTreatment(staff, {
    code: 'CSV-1',
    name: { en: '=Crown', es: 'Corona' },
    description: { es: 'De circonio' },
    unit_price: '450.5',
    vat: '7.5',
    category: 'prosthetics',
    active: false
  })
  await aTreatment(staff, { code: 'CSV-2' })
  expect(await exported(`${TREATMENTS}/export.csv?search=csv&active=false`)).toEqual([
    expect.objectContaining({
      external_id: '',
      code: 'CSV-1',
      name_en: '=Crown',
      name_es: 'Corona',
      name_fr: '',
      description_es: 'De circonio',
      category: 'prosthetics',
      unit_price: '450.50',
      vat: '7.5',
      active: 'false'
    })
  ])
})

it('exported budgets follow the filters and the order of the list', async () => {
  const drafts = []
  for (const quantity of [2, 1, 3])
    drafts.push(await aDraft(instance, { items: [{ treatment_id: (await aTreatment(staff)).id, quantity }] }))
  expect((await staff.post(`${BUDGETS}/${drafts[0].id}/send`, { channel: 'manual', code: '482913' })).status).toBe(200)
  for (const query of ['?sort=total', '?sort=-sent_at', '?sort=decided_at&status=draft&status=sent', '?status=expired', '?search=pres-']) {
    const listed = (await staff.get(`${BUDGETS}${query}`)).body.data
    expect((await exported(`${BUDGETS}/export.csv${query}`)).map(row => row.number), query).toEqual(
      listed.map((row: any) => row.number)
    )
  }
  expect((await exported(`${BUDGETS}/export.csv?status=draft&sort=total`))[0]).toMatchObject({
    version: '1',
    status: 'draft',
    patient_last_name: 'Muñoz',
    currency: 'EUR',
    total: '121.00'
  })
})

it('exported invoices have paid and due amounts, and payments have their invoices', async () => {
  const id = await anInvoice(instance, { total: 24_200 })
  await anInvoice(instance, { total: 100 })
  const { body: { data: issued } } = await staff.post(`${INVOICES}/${id}/issue`)
  await staff.post(`${INVOICES}/${id}/payments`, { amount: '42.00', method: 'cash', note: '=1+1' })
  const { body: { data: paid } } = await staff.post(`${INVOICES}/${id}/payments`, { amount: '100.00', method: 'card' })
  const payment = paid.payments.find((row: any) => row.amount === '100.00')
  await staff.post(`${INVOICES}/${id}/payments/${payment.id}/reverse`, { reason: 'Bounced' })
  expect(await exported(`${INVOICES}/export.csv?status=issued`)).toEqual([
    expect.objectContaining({ number: issued.number, total: '242.00', paid: '42.00', due: '200.00', currency: 'EUR' })
  ])
  expect((await exported(`${INVOICES}/export.csv?sort=total`)).map(row => row.total)).toEqual(['1.00', '242.00'])
  expect(await exported(`${PAYMENTS}/export.csv?search=${issued.number}`)).toEqual([
    expect.objectContaining({ amount: '42.00', method: 'cash', note: '=1+1', invoice_number: issued.number }),
    expect.objectContaining({ id: payment.id, amount: '100.00', reversal_reason: 'Bounced' })
  ])
  expect(await exported(`${PAYMENTS}/export.csv?status=cancelled`)).toEqual([])
})

it('the exported report has a row for each month', async () => {
  const rows = await exported(`${REPORT}/export.csv?from=2026-01-01&to=2026-03-31`)
  const { months } = (await staff.get(`${REPORT}?from=2026-01-01&to=2026-03-31`)).body.data
  expect(rows.map(row => row.month)).toEqual(['2026-01', '2026-02', '2026-03'])
  expect(rows.map(row => row.sent_amount)).toEqual(months.map((month: any) => month.sent_amount))
})
