import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inspectPdf } from '@svc/sheet/pdf/inspect.ts'
import type { Caller } from '../../support/caller.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { anInvoice, anIssuedInvoice, INVOICES } from '../../support/documents/invoices.ts'
import { loadDocuments } from '../../support/documents/load-documents.ts'

let instance: Instance
let staff: Caller
beforeAll(async () => {
  instance = await anInstance()
  staff = await instance.as('receptionist')
  // Without it, an invoice is titled "Pro forma".
  await (await instance.as('admin')).patch('/api/v1/clinic', { tax_number: 'B12345674' })
  await loadDocuments()
})
afterAll(() => instance.close())

const pdf = (id: string, query = '', caller = staff) => caller.get(`${INVOICES}/${id}/pdf${query}`)
/** Replaces no-break spaces by ordinary ones. */
const textOf = async (id: string, query = '') =>
  (await inspectPdf((await pdf(id, query)).bytes)).text.replaceAll('\u00A0', ' ')

describe('the PDF of an invoice', () => {
  it('shows the clinic, patient, number, day, lines with VAT, sums by rate, total, paid and due amounts', async () => {
    const { id, number, issued_on } = await anIssuedInvoice(instance, staff)
    expect((await staff.post(`${INVOICES}/${id}/payments`, { amount: '21.00', method: 'card' })).status).toBe(201)
    const { status, headers } = await pdf(id)
    expect([status, headers.get('content-type'), headers.get('content-disposition')]).toEqual([
      200,
      'application/pdf',
      `inline; filename="${number}.pdf"`
    ])
    const day = new Intl.DateTimeFormat('es', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(issued_on))
    const lines = (await textOf(id)).split('\n')
    for (const text of [
      'Factura',
      'Clínica Peñalver',
      'Lucía Muñoz',
      number,
      day,
      'Empaste',
      '21 %',
      'Base al 21 %',
      'IVA 21 %',
      '100,00 €',
      '21,00 €',
      'Total',
      '121,00 €',
      'Pagado',
      'Pendiente'
    ])
      expect(lines).toContain(text)
    expect(lines.filter(line => /BORRADOR|ANULADA/.test(line))).toEqual([])
  })

  it('sends a person whose session ended to sign in and back; a program gets JSON', async () => {
    const path = `${INVOICES}/${await anInvoice(instance)}/pdf?locale=es`
    const stranger = instance.anonymous()
    for (const ask of [stranger.get, stranger.head]) {
      const person = await ask(path, { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } })
      expect([person.status, person.headers.get('location'), person.bytes.length]).toEqual([
        303,
        `/login?to=${encodeURIComponent(path)}`,
        0
      ])
    }
    for (const accept of ['*/*', 'application/json', 'application/pdf'])
      expect((await stranger.get(path, { headers: { accept } })).status).toBe(401)
    expect((await stranger.get(INVOICES, { headers: { accept: 'text/html' } })).status).toBe(401)
    expect((await (await instance.as('assistant')).get(path, { headers: { accept: 'text/html' } })).status).toBe(403)
  })

  it('of a draft is marked as a draft, and has no number', async () => {
    const id = await anInvoice(instance)
    expect(await textOf(id)).toContain('BORRADOR: todavía no es una factura.')
    const { headers } = await pdf(id)
    expect(headers.get('content-disposition')).toBe('inline; filename="PRES-2019-0001-invoice-draft.pdf"')
  })

  it('of a cancelled invoice is marked as cancelled, with nothing due', async () => {
    const id = await anInvoice(instance)
    await staff.post(`${INVOICES}/${id}/cancel`, { reason: 'No' })
    expect(await textOf(id)).toMatch(/ANULADA el .*: no queda nada pendiente[\s\S]*Pendiente\n0,00 €/)
  })

  it.each([
    ['en', 'Invoice'],
    ['es', 'Factura'],
    ['fr', 'Facture'],
    ['de', 'Rechnung'],
    ['pt', 'Fatura'],
    ['ar', 'فاتورة']
  ])('is in the reader\'s language: %s', async (locale, title) => {
    expect((await textOf(await anInvoice(instance), `?locale=${locale}`)).split('\n')).toContain(title)
  })

  it('without a requested language is in the invoice\'s language, or else the clinic\'s', async () => {
    expect(await textOf(await anInvoice(instance, { locale: 'ar' }))).toContain('فاتورة')
    expect(await textOf(await anInvoice(instance, { locale: 'el' }))).toContain('Factura')
  })

  it('of an issued invoice keeps the clinic\'s name and address of that day', async () => {
    const clinic = await instance.anotherClinic()
    const admin = await instance.as('admin', clinic)
    const { id } = await anIssuedInvoice(instance, admin, { clinic })
    expect((await admin.patch('/api/v1/clinic', { name: 'New Owners' })).status).toBe(200)
    const { text } = await inspectPdf((await pdf(id, '', admin)).bytes)
    expect(text).toContain('Another Clinic')
    expect(text).not.toContain('New Owners')
  })

  it('is 404 for ids of another clinic, unknown and malformed ones, 403 without billing.read, 422 in an unknown language', async () => {
    const id = await anInvoice(instance)
    const other = await instance.as('admin', await instance.anotherClinic())
    for (const wrong of [id, '00000000-0000-4000-8000-000000000000', 'x'])
      expect((await pdf(wrong, '', other)).status).toBe(404)
    expect((await pdf(id, '', await instance.as('hygienist'))).body.detail).toBe('Permission denied: billing.read')
    expect((await pdf(id, '?locale=tlh')).status).toBe(422)
  })
})
