import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PDFDocument, PDFName } from '@pdfme/pdf-lib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inspectPdf } from '@svc/sheet/pdf/inspect.ts'
import { ACCEPTANCE, aDraft, aSentBudget, aVerifiedPatient, BUDGETS, eventually } from '../../../support/builders.ts'
import { aDrawing } from '../../../support/documents/budget-document.ts'
import type { Caller } from '../../../support/caller.ts'
import { documentsOf, hex, type Documents } from '../../../support/documents/documents.ts'
import { anInstance, type Instance } from '../../../support/instance.ts'

let instance: Instance
let staff: Caller
let rowOf: Documents['rowOf'],
  logOf: Documents['logOf'],
  isReady: Documents['isReady'],
  accept: Documents['accept'],
  anAcceptedBudget: Documents['anAcceptedBudget']

beforeAll(async () => {
  instance = await anInstance();
  ({ rowOf, logOf, isReady, accept, anAcceptedBudget } = await documentsOf(instance))
  staff = await instance.as('receptionist')
})
afterAll(() => instance.close())

const folderOf = (id = '') => join(instance.storage, 'documents', instance.clinic.id, id)
const textOf = async (bytes: Uint8Array) => (await inspectPdf(bytes)).text

/** Runs the job itself, as the worker calls it. */
function seal(budget_id: string, attempt = 1): Promise<void> {
  const module = instance.runtime.host.registry.get('budget')!
  return module.definition.jobs!['seal-document']!.run({ budget_id }, module.ctx, { attempt })
}

describe('the signed PDF', () => {
  test('has one fingerprint: of its bytes, in the view, the record, the headers, the log and the event', async () => {
    const { budget, patient } = await anAcceptedBudget()
    const { status, headers, bytes } = await patient.get(`${budget.base}/pdf/signed`)
    expect(status).toBe(200)
    const sha256 = hex(bytes)
    expect((await patient.get(budget.base)).body.data.signed_pdf).toEqual({ status: 'ready', sha256 })
    expect((await staff.get(`${BUDGETS}/${budget.id}/signature`)).body.data.document_sha256).toBe(sha256)
    expect((await staff.get(`${BUDGETS}/${budget.id}/pdf/signed`)).bytes.equals(bytes)).toBe(true)
    expect(headers.get('etag')).toBe(`"${sha256}"`)
    expect(headers.get('repr-digest')).toBe(`sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`)
    expect(headers.get('content-type')).toBe('application/pdf')
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${budget.number}-signed.pdf"`)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(await logOf(budget.id, 'signed_pdf_ready')).toEqual([
      { success: true, actor: 'system', user_id: null, detail: { sha256, time_stamp: false } }
    ])
    const [event]
      = await instance.sql`select payload from core_event where name = 'budget.signed_pdf_ready' and payload ->> 'budget_id' = ${budget.id}`
    expect(event!.payload).toMatchObject({
      sha256,
      clinic_id: instance.clinic.id,
      budget_id: budget.id,
      budget_number: budget.number,
      version: 1
    })
  })

  test('shows the accepted content and the decision, but not its own fingerprint', async () => {
    const { budget, patient } = await anAcceptedBudget()
    const view = (await patient.get(budget.base)).body.data
    const text = await textOf((await patient.get(`${budget.base}/pdf/signed`)).bytes)
    for (const part of [
      budget.number,
      'Clínica Peñalver',
      'Lucía Muñoz',
      'Elena Vidal',
      'Empaste',
      '121,00\u00A0€',
      view.content_digest,
      `${instance.url}/verify`,
      'Europe/Madrid',
      'Página 1 de 1'
    ]) {
      expect(text).toContain(part)
    }
    expect(text).not.toContain(view.signed_pdf.sha256)
  })

  test('is in the language that the page had at acceptance', async () => {
    const budget = await aSentBudget(instance)
    const patient = await aVerifiedPatient(instance, budget)
    await patient.post(`${budget.base}/accept?locale=en`, ACCEPTANCE)
    await isReady(budget.id)
    expect(await textOf((await patient.get(`${budget.base}/pdf/signed`)).bytes)).toContain('Treatment budget')
  })

  test('is in Arabic or Portuguese after an acceptance in that language, which is in its metadata', async () => {
    const signedIn = async (locale: string) => {
      const budget = await aSentBudget(instance)
      const patient = await aVerifiedPatient(instance, budget)
      await patient.post(`${budget.base}/accept?locale=${locale}`, ACCEPTANCE)
      await isReady(budget.id)
      return (await patient.get(`${budget.base}/pdf/signed`)).bytes
    }
    const languageOf = async (bytes: Buffer) =>
      (await PDFDocument.load(bytes, { updateMetadata: false })).catalog.get(PDFName.of('Lang'))?.toString()
    const arabic = await signedIn('ar')
    expect(await textOf(arabic)).toMatch(/عرض سعر العلاج[\s\S]*Empaste[\s\S]*القبول/)
    expect(await languageOf(arabic)).toBe('(ar)')
    const portuguese = await signedIn('pt')
    expect(await textOf(portuguese)).toMatch(/Orçamento de tratamento[\s\S]*Aceitação/)
    expect(await languageOf(portuguese)).toBe('(pt)')
  })

  test('shows a drawn signature as a picture', async () => {
    const image = `data:image/png;base64,${aDrawing().toString('base64')}`
    const { budget, patient } = await anAcceptedBudget({ ...ACCEPTANCE, signature: { method: 'drawn', image } })
    const { bytes } = await patient.get(`${budget.base}/pdf/signed`)
    expect(bytes.toString('latin1')).toContain('/Subtype /Image')
  })

  test('is made after an acceptance in the clinic too', async () => {
    const budget = await aSentBudget(instance)
    expect((await staff.post(`${BUDGETS}/${budget.id}/accept-in-clinic`, ACCEPTANCE)).status).toBe(200)
    await isReady(budget.id)
    expect(await textOf((await staff.get(`${BUDGETS}/${budget.id}/pdf/signed`)).bytes)).toContain('en la clínica')
  })

  test('stays the same, byte for byte, when clinic, treatment and certificate change and the process restarts', async () => {
    const { budget, patient } = await anAcceptedBudget()
    const { bytes } = await patient.get(`${budget.base}/pdf/signed`)
    const [clinic] = await instance.sql`select * from core_clinic where id = ${instance.clinic.id}`
    try {
      await instance.sql`update core_clinic set name = 'Another Name', address = 'Elsewhere', accent_color = '#ff0000' where id = ${instance.clinic.id}`
      await instance.sql`update catalog_treatment set name = '{"es": "Otra cosa"}'`
      await instance.sql`delete from core_certificate`
      await instance.restart()
      staff = await instance.as('receptionist')
      for (let count = 0; count < 20; count++)
        expect(hex((await staff.get(`${BUDGETS}/${budget.id}/pdf/signed`)).bytes)).toBe(hex(bytes))
    } finally {
      await instance.sql`update core_clinic set ${instance.sql(clinic!, 'name', 'address', 'accent_color')} where id = ${instance.clinic.id}`
    }
  })
})

describe('sealing the PDF', () => {
  test('in 20 parallel runs results in one stored document, one fingerprint, one log row and one event', async () => {
    const { budget } = await anAcceptedBudget()
    const count = async () =>
      Number(
        (
          await instance.sql`select count(*) from core_event where name = 'budget.signed_pdf_ready' and payload ->> 'budget_id' = ${budget.id}`
        )[0]!.count
      )
    const [events, rows] = [await count(), (await logOf(budget.id, 'signed_pdf_ready')).length]
    rmSync(folderOf(budget.id), { recursive: true })
    await instance.sql`update budget set signed_pdf_status = 'pending', signed_pdf_key = null, signed_pdf_sha256 = null where id = ${budget.id}`
    await Promise.all(Array.from({ length: 20 }, () => seal(budget.id)))
    const { signed_pdf_sha256, signed_pdf_key } = await rowOf(budget.id)
    expect(readdirSync(folderOf(budget.id))).toEqual([`${signed_pdf_sha256}.pdf`])
    expect(hex(readFileSync(join(instance.storage, 'documents', signed_pdf_key)))).toBe(signed_pdf_sha256)
    expect(await count()).toBe(events + 1)
    expect(await logOf(budget.id, 'signed_pdf_ready')).toHaveLength(rows + 1)
  })

  test('does nothing if the document is ready, or if the budget was not accepted', async () => {
    const { budget } = await anAcceptedBudget()
    const before = await rowOf(budget.id)
    await seal(budget.id)
    const open = await aSentBudget(instance)
    await seal(open.id)
    expect(await rowOf(budget.id)).toEqual(before)
    expect((await rowOf(open.id)).signed_pdf_status).toBe('none')
  })

  test('can fail without affecting the acceptance; the error is logged, and sealing is tried again', async () => {
    const budget = await aSentBudget(instance)
    const patient = await aVerifiedPatient(instance, budget)
    mkdirSync(folderOf(), { recursive: true })
    writeFileSync(folderOf(budget.id), 'in the way of the folder')
    await accept(budget, patient)
    const [row] = await eventually(async () => {
      const rows = await logOf(budget.id, 'signed_pdf_error')
      return rows.length > 0 && rows
    }, 'the failure')
    expect(row).toMatchObject({
      success: false,
      actor: 'system',
      detail: { error: expect.stringMatching(/EEXIST|ENOTDIR/), attempt: 1 }
    })
    const pending = await patient.get(`${budget.base}/pdf/signed`)
    expect(pending.status).toBe(404)
    expect(pending.body.code).toBe('signed_pdf_pending')
    expect(pending.headers.get('retry-after')).toBe('2')
    rmSync(folderOf(budget.id))
    await isReady(budget.id)
    expect((await patient.get(`${budget.base}/pdf/signed`)).status).toBe(200)
  })

  test('uses one certificate in all processes, whose key is stored sealed', async () => {
    await instance.sql`delete from core_certificate`
    await instance.restart()
    staff = await instance.as('receptionist')
    await Promise.all(Array.from({ length: 4 }, () => anAcceptedBudget()))
    const rows
      = await instance.sql`select private_key, not_after > now() + interval '9 years' as long from core_certificate`
    expect(rows).toHaveLength(1)
    expect(rows[0]!.long).toBe(true)
    expect(Buffer.from(rows[0]!.private_key, 'base64url').includes(Buffer.from('2a864886f70d010101', 'hex'))).toBe(
      false
    )
  })
})

describe('the unsigned PDF', () => {
  test('is shown inline, in the requested language, and is logged', async () => {
    const budget = await aSentBudget(instance)
    const patient = await aVerifiedPatient(instance, budget)
    const { status, headers, bytes } = await patient.get(`${budget.base}/pdf?locale=en`)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/pdf')
    expect(headers.get('content-disposition')).toBe(`inline; filename="${budget.number}.pdf"`)
    const text = await textOf(bytes)
    for (const part of ['Treatment budget', 'Filling', '€121.00', 'Page 1 of 1']) expect(text).toContain(part)
    expect(text).not.toContain('Acceptance')
    expect(await logOf(budget.id, 'pdf_download')).toMatchObject([{ success: true, actor: 'patient' }])
    await patient.head(`${budget.base}/pdf`)
    expect(await logOf(budget.id, 'pdf_download')).toHaveLength(1)
    expect((await patient.get(`${budget.base}/pdf?locale=xx`)).status).toBe(422)
  })

  test('needs a session', async () => {
    const budget = await aSentBudget(instance)
    expect((await instance.anonymous().get(`${budget.base}/pdf`)).body.code).toBe('code_required')
    expect((await instance.anonymous().get(`/api/v1/public/budgets/${'y'.repeat(43)}/pdf`)).body.code).toBe(
      'link_not_found'
    )
  })

  test('shows prices, original prices and the total as the view does', async () => {
    const budget = await aSentBudget(instance, { global_discount: { type: 'percent', value: '10' } })
    const patient = await aVerifiedPatient(instance, budget)
    const text = await textOf((await patient.get(`${budget.base}/pdf`)).bytes)
    for (const part of ['121,00\u00A0€', '108,90\u00A0€', '−12,10\u00A0€']) expect(text).toContain(part)
  })
})

describe('staff', () => {
  test('can read documents with budget.read; without a session or in another clinic the response has no document', async () => {
    const { budget } = await anAcceptedBudget()
    const hygienist = await instance.as('hygienist')
    const elsewhere = await instance.as('admin', await instance.anotherClinic())
    for (const path of ['pdf', 'pdf/signed']) {
      expect((await hygienist.get(`${BUDGETS}/${budget.id}/${path}`)).status).toBe(200)
      expect((await elsewhere.get(`${BUDGETS}/${budget.id}/${path}`)).status).toBe(404)
      expect((await staff.get(`${BUDGETS}/nonsense/${path}`)).status).toBe(404)
      expect((await instance.anonymous().get(`${BUDGETS}/${budget.id}/${path}`)).status).toBe(401)
    }
    const rows = await logOf(budget.id, 'signed_pdf_download')
    expect(rows).toMatchObject([{ success: true, actor: 'staff', user_id: expect.any(String) }])
  })

  test('can see the PDF of a draft', async () => {
    const draft = await aDraft(instance)
    const { status, bytes } = await staff.get(`${BUDGETS}/${draft.id}/pdf`)
    expect(status).toBe(200)
    expect(await textOf(bytes)).toContain('Borrador')
  })
})

describe('checking a document', () => {
  const check = (body: unknown) => instance.anonymous().post('/api/v1/public/documents/check', body)

  test('shows when and where it was signed, and nothing about the patient', async () => {
    const { budget } = await anAcceptedBudget()
    const { signed_pdf_sha256: sha256, decided_at } = await rowOf(budget.id)
    for (const written of [sha256, sha256.toUpperCase()]) {
      const { status, body } = await check({ sha256: written })
      expect(status).toBe(200)
      expect(body).toEqual({
        data: { match: true, signed_at: new Date(decided_at).toISOString(), clinic_name: 'Clínica Peñalver' }
      })
    }
  })

  test('reports if there is no match', async () => {
    expect((await check({ sha256: '0'.repeat(64) })).body).toEqual({
      data: { match: false, signed_at: null, clinic_name: null }
    })
  })

  test.each([
    [{}],
    [{ sha256: 'x'.repeat(64) }],
    [{ sha256: '0'.repeat(63) }],
    [{ sha256: 5 }],
    [{ sha256: '0'.repeat(64), more: 1 }]
  ])('refuses %j', async (body) => {
    expect((await check(body)).status).toBe(422)
  })

  test('is limited to 30 a minute for an address', async () => {
    await instance.sql`delete from core_rate_limit`
    const answers = []
    for (let count = 0; count < 31; count++) answers.push((await check({ sha256: '0'.repeat(64) })).status)
    expect(answers.filter(status => status === 200)).toHaveLength(30)
    expect(answers.at(-1)).toBe(429)
    await instance.sql`delete from core_rate_limit`
  })
})
