import { afterAll, beforeAll, expect, it } from 'vitest'
import { inspectPdf } from '@svc/sheet/pdf/inspect.ts'
import { aPatient } from '../../support/builders.ts'
import type { Caller } from '../../support/caller.ts'
import { anInvoice, INVOICES } from '../../support/documents/invoices.ts'
import { loadDocuments } from '../../support/documents/load-documents.ts'
import { anInstance, type Instance } from '../../support/instance.ts'

const PARTICULARS = {
  legal_name: 'Peñalver Dental, S. L.',
  tax_number: 'B12345674',
  registration: 'CS 12345',
  insurer: 'Seguros del Sur, póliza 77',
  address: 'Calle Mayor 1\n28013 Madrid',
  payment_days: 30
}

let instance: Instance
let admin: Caller
beforeAll(async () => {
  instance = await anInstance()
  admin = await instance.as('admin')
  await loadDocuments()
})
afterAll(() => instance.close())

const settle = async (fields: Record<string, unknown>) =>
  expect((await admin.patch('/api/v1/clinic', fields)).status).toBe(200)
const issue = (id: string, body?: unknown) => admin.post(`${INVOICES}/${id}/issue`, body)
const pdfOf = async (id: string) =>
  (await inspectPdf((await admin.get(`${INVOICES}/${id}/pdf`)).bytes)).text.replaceAll('\u00A0', ' ')
const daysAfter = (day: string, days: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

/** A draft invoice for a patient whose record has these details. */
async function anInvoiceOf(fields: Record<string, unknown>): Promise<{ id: string, patient: string }> {
  const patient = await aPatient(admin, fields)
  const id = await anInvoice(instance)
  await instance.sql`update billing_invoice set patient_id = ${patient.id} where id = ${id}`
  return { id, patient: patient.id }
}

it('an invoice has the clinic\'s and the patient\'s details as they were when it was issued', async () => {
  await settle(PARTICULARS)
  const { id, patient } = await anInvoiceOf({ tax_number: '12345678Z', address: 'Plaza Nueva 2\n41001 Sevilla' })
  expect((await issue(id)).status).toBe(200)
  await settle({ legal_name: 'Another name', tax_number: 'X0000000T', registration: null, insurer: null })
  await admin.patch(`/api/v1/clinical/patients/${patient}`, { tax_number: '87654321X', address: 'Elsewhere' })

  const text = await pdfOf(id)
  for (const part of [
    'Factura', 'Peñalver Dental, S. L.', 'NIF: B12345674', 'CS 12345', 'Seguro de responsabilidad civil: Seguros del Sur',
    '28013 Madrid', '12345678Z', '41001 Sevilla'
  ])
    expect(text).toContain(part)
  for (const part of ['Another name', 'X0000000T', '87654321X', 'Elsewhere', 'proforma']) expect(text).not.toContain(part)
})

it('an invoice is titled "Pro forma" when the clinic has no tax number, even if it gets one later', async () => {
  const { id } = await anInvoiceOf({})
  await settle({ ...PARTICULARS, tax_number: null })
  expect((await admin.get(`${INVOICES}/${id}`)).body.data.pro_forma).toBe(true)
  expect((await issue(id)).body.data.pro_forma).toBe(true)
  await settle({ tax_number: 'B12345674' })
  expect((await admin.get(`${INVOICES}/${id}`)).body.data.pro_forma).toBe(true)
  expect(await pdfOf(id)).toContain('Factura proforma')
})

it('an invoice is due the clinic\'s number of days after its issue, on another chosen day, or without a due date', async () => {
  await settle(PARTICULARS)
  const usual = (await issue((await anInvoiceOf({})).id)).body.data
  expect(usual.due_on).toBe(daysAfter(usual.issued_on, 30))

  const { id } = await anInvoiceOf({})
  const late = await issue(id, { due_on: daysAfter(usual.issued_on, -1) })
  expect([late.status, late.body.code, late.body.errors[0].pointer]).toEqual([422, 'validation_failed', '/due_on'])
  expect((await issue(id, { due_on: usual.issued_on })).body.data.due_on).toBe(usual.issued_on)
  expect((await issue((await anInvoiceOf({})).id, { due_on: null })).body.data.due_on).toBeNull()

  await settle({ payment_days: null })
  expect((await issue((await anInvoiceOf({})).id)).body.data.due_on).toBeNull()
})

it('an issued invoice keeps its due date and details: the database refuses to change them', async () => {
  await settle(PARTICULARS)
  const { id } = await anInvoiceOf({ tax_number: '12345678Z' })
  await issue(id)
  const changes = [
    instance.sql`update billing_invoice set due_on = due_on + 1 where id = ${id}`,
    instance.sql`update billing_invoice set recipient = '{"tax_number": "1", "address": null}' where id = ${id}`
  ]
  for (const change of changes) await expect(change).rejects.toThrow('cannot be changed')
})
