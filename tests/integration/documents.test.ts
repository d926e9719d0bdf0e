import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inspectPdf } from '../../layers/budget/server/pdf/inspect.ts'
import { ACCEPTANCE, aSentBudget, aVerifiedPatient, BUDGETS, eventually, type SentBudget } from '../support/builders.ts'
import { aDrawing } from '../support/budget-document.ts'
import type { Caller } from '../support/caller.ts'
import { anInstance, type Instance } from '../support/instance.ts'

let instance: Instance
let staff: Caller

beforeAll(async () => {
  instance = await anInstance()
  staff = await instance.as('receptionist')
})
afterAll(() => instance.close())

const hex = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const rowOf = async (id: string) => (await instance.sql`select * from budget where id = ${id}`)[0]!
const logOf = async (id: string, action: string) => instance.sql`
  select success, actor, user_id, detail from budget_access_log where budget_id = ${id} and action = ${action} order by seq`
const isReady = (id: string) => eventually(async () => (await rowOf(id)).signed_pdf_status === 'ready', 'the signed PDF')
const documentsOf = (clinic: string) => join(instance.storage, 'documents', clinic)
const filesOf = (id: string) => readdirSync(join(documentsOf(instance.clinic.id), id))
const textOf = async (bytes: Uint8Array) => (await inspectPdf(bytes)).text

async function accept(budget: SentBudget, patient: Caller, body: object = ACCEPTANCE) {
  const { status, body: answer } = await patient.post(`${budget.base}/accept`, body)
  expect(status, JSON.stringify(answer)).toBe(200)
}

async function anAcceptedBudget(fields = {}, body: object = ACCEPTANCE): Promise<{ budget: SentBudget, patient: Caller }> {
  const budget = await aSentBudget(instance, fields)
  const patient = await aVerifiedPatient(instance, budget)
  await accept(budget, patient, body)
  await isReady(budget.id)
  return { budget, patient }
}

/** The job itself, as the worker calls it. */
function seal(budget_id: string, attempt = 1): Promise<void> {
  const module = instance.runtime.services.registry.get('budget')!
  return module.definition.jobs!['seal-document']!.run({ budget_id }, module.ctx, { attempt })
}

describe('the signed PDF', () => {
  test('has one hash: of its bytes, in the view, the record, the headers, the log and the event', async () => {
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
    expect(await logOf(budget.id, 'signed_pdf_ready')).toEqual([{ success: true, actor: 'system', user_id: null, detail: { sha256 } }])
    const [event] = await instance.sql`select payload from core_event where name = 'budget.signed_pdf_ready' and payload ->> 'budget_id' = ${budget.id}`
    expect(event!.payload).toMatchObject({ sha256, clinic_id: instance.clinic.id, budget_id: budget.id, budget_number: budget.number, version: 1 })
  })

  test('shows the content that was decided on and the decision, and not its own hash', async () => {
    const { budget, patient } = await anAcceptedBudget()
    const view = (await patient.get(budget.base)).body.data
    const text = await textOf((await patient.get(`${budget.base}/pdf/signed`)).bytes)
    for (const part of [budget.number, 'Clínica Peñalver', 'Lucía Muñoz', 'Elena Vidal', 'Empaste', '121,00\u00A0€', view.content_digest, `${instance.url}/verify`, 'Europe/Madrid', 'Página 1 de 1']) {
      expect(text).toContain(part)
    }
    expect(text).not.toContain(view.signed_pdf.sha256)
  })

  test('is in the language of the page at acceptance', async () => {
    const budget = await aSentBudget(instance)
    const patient = await aVerifiedPatient(instance, budget)
    await patient.post(`${budget.base}/accept?locale=en`, ACCEPTANCE)
    await isReady(budget.id)
    expect(await textOf((await patient.get(`${budget.base}/pdf/signed`)).bytes)).toContain('Treatment budget')
  })

  test('carries a drawn signature as a picture', async () => {
    const image = `data:image/png;base64,${aDrawing().toString('base64')}`
    const { budget, patient } = await anAcceptedBudget({}, { ...ACCEPTANCE, signature: { method: 'drawn', image } })
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
      for (let count = 0; count < 20; count++) expect(hex((await staff.get(`${BUDGETS}/${budget.id}/pdf/signed`)).bytes)).toBe(hex(bytes))
    } finally {
      await instance.sql`update core_clinic set ${instance.sql(clinic!, 'name', 'address', 'accent_color')} where id = ${instance.clinic.id}`
    }
  })
})

describe('sealing', () => {
  test('20 parallel runs end in one stored document, one fingerprint, one log row and one event', async () => {
    const { budget } = await anAcceptedBudget()
    const count = async () => Number((await instance.sql`select count(*) from core_event where name = 'budget.signed_pdf_ready' and payload ->> 'budget_id' = ${budget.id}`)[0]!.count)
    const [events, rows] = [await count(), (await logOf(budget.id, 'signed_pdf_ready')).length]
    rmSync(join(documentsOf(instance.clinic.id), budget.id), { recursive: true })
    await instance.sql`update budget set signed_pdf_status = 'pending', signed_pdf_key = null, signed_pdf_sha256 = null where id = ${budget.id}`
    await Promise.all(Array.from({ length: 20 }, () => seal(budget.id)))
    const { signed_pdf_sha256, signed_pdf_key } = await rowOf(budget.id)
    expect(filesOf(budget.id)).toEqual([`${signed_pdf_sha256}.pdf`])
    expect(hex(readFileSync(join(instance.storage, 'documents', signed_pdf_key)))).toBe(signed_pdf_sha256)
    expect(await count()).toBe(events + 1)
    expect(await logOf(budget.id, 'signed_pdf_ready')).toHaveLength(rows + 1)
  })

  test('a run after it is ready does nothing, and one for a budget that was not accepted neither', async () => {
    const { budget } = await anAcceptedBudget()
    const before = await rowOf(budget.id)
    await seal(budget.id)
    const open = await aSentBudget(instance)
    await seal(open.id)
    expect(await rowOf(budget.id)).toEqual(before)
    expect((await rowOf(open.id)).signed_pdf_status).toBe('none')
  })

  test('a failure does not reach the acceptance, is a log row with the error, and heals by itself', async () => {
    const clinic = documentsOf(instance.clinic.id)
    const budget = await aSentBudget(instance)
    const patient = await aVerifiedPatient(instance, budget)
    mkdirSync(clinic, { recursive: true })
    writeFileSync(join(clinic, budget.id), 'in the way of the folder')
    await accept(budget, patient)
    const [row] = await eventually(async () => {
      const rows = await logOf(budget.id, 'signed_pdf_error')
      return rows.length > 0 && rows
    }, 'the failure')
    expect(row).toMatchObject({ success: false, actor: 'system', detail: { error: expect.stringMatching(/EEXIST|ENOTDIR/), attempt: 1 } })
    const pending = await patient.get(`${budget.base}/pdf/signed`)
    expect(pending.status).toBe(404)
    expect(pending.body.code).toBe('signed_pdf_pending')
    expect(pending.headers.get('retry-after')).toBe('2')
    rmSync(join(clinic, budget.id))
    await isReady(budget.id)
    expect((await patient.get(`${budget.base}/pdf/signed`)).status).toBe(200)
  })

  test('all processes share one certificate, whose key is sealed', async () => {
    await instance.sql`delete from core_certificate`
    await instance.restart()
    staff = await instance.as('receptionist')
    await Promise.all(Array.from({ length: 4 }, () => anAcceptedBudget()))
    const rows = await instance.sql`select private_key, not_after > now() + interval '9 years' as long from core_certificate`
    expect(rows).toHaveLength(1)
    expect(rows[0]!.long).toBe(true)
    expect(Buffer.from(rows[0]!.private_key, 'base64url').includes(Buffer.from('2a864886f70d010101', 'hex'))).toBe(false)
  })
})

describe('downloading the signed PDF', () => {
  test('needs an acceptance: 404 not_signed', async () => {
    const budget = await aSentBudget(instance)
    const patient = await aVerifiedPatient(instance, budget)
    const { status, body } = await patient.get(`${budget.base}/pdf/signed`)
    expect([status, body.code]).toEqual([404, 'not_signed'])
    expect(await logOf(budget.id, 'signed_pdf_download')).toMatchObject([{ success: false, actor: 'patient', detail: { reason: 'not_signed' } }])
    expect((await staff.get(`${BUDGETS}/${budget.id}/pdf/signed`)).body.code).toBe('not_signed')
  })

  test('needs a session, and a session of this link', async () => {
    const { budget } = await anAcceptedBudget()
    const other = await aSentBudget(instance)
    const stranger = await aVerifiedPatient(instance, other)
    const [cookie] = [...stranger.cookies.values()]
    const withForeign = await instance.anonymous().get(`${budget.base}/pdf/signed`, { headers: { cookie: `budget_session=${cookie!.value}` } })
    expect([withForeign.status, withForeign.body.code]).toEqual([401, 'code_required'])
    const unknown = await instance.anonymous().get(`/api/v1/public/budgets/${'x'.repeat(43)}/pdf/signed`)
    expect([unknown.status, unknown.body.code]).toEqual([404, 'link_not_found'])
  })

  test('sends a person whose session ended back to the page', async () => {
    const { budget } = await anAcceptedBudget()
    const { status, headers } = await instance.anonymous().get(`${budget.base}/pdf/signed`, { headers: { accept: 'text/html,*/*' } })
    expect(status).toBe(303)
    expect(headers.get('location')).toBe(`/p/budget/${budget.token}`)
  })

  test('is logged with each hit; without a session ten a minute at most, which cost the patient nothing', async () => {
    const { budget, patient } = await anAcceptedBudget()
    const scanner = instance.anonymous()
    await Promise.all(Array.from({ length: 40 }, () => scanner.get(`${budget.base}/pdf/signed`)))
    const refused = await logOf(budget.id, 'signed_pdf_download')
    expect(refused).toHaveLength(10)
    expect(refused.every(row => !row.success && row.detail.reason === 'code_required')).toBe(true)
    expect((await patient.get(`${budget.base}/pdf/signed`)).status).toBe(200)
    expect((await logOf(budget.id, 'signed_pdf_download')).at(-1)).toMatchObject({ success: true, actor: 'patient' })
  })

  test('passes ten times a minute, also when 20 come at once; the rest are 429, and logged', async () => {
    const { budget, patient } = await anAcceptedBudget()
    const answers = await Promise.all(Array.from({ length: 20 }, () => patient.get(`${budget.base}/pdf/signed`)))
    expect(answers.filter(answer => answer.status === 200)).toHaveLength(10)
    const refused = answers.filter(answer => answer.status === 429)
    expect(refused).toHaveLength(10)
    expect(refused[0]!.body.code).toBe('too_many_requests')
    expect(Number(refused[0]!.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(Number(refused[0]!.headers.get('retry-after'))).toBeLessThanOrEqual(60)
    const rows = await logOf(budget.id, 'signed_pdf_download')
    expect(rows.filter(row => row.success)).toHaveLength(10)
    expect(rows.filter(row => row.detail.reason === 'too_many_requests')).toHaveLength(10)
    expect((await staff.get(`${BUDGETS}/${budget.id}/pdf/signed`)).status).toBe(200)
  })

  test('counts answers with the file only, and tells what is left', async () => {
    const budget = await aSentBudget(instance)
    const patient = await aVerifiedPatient(instance, budget)
    for (let count = 0; count < 12; count++) expect((await patient.get(`${budget.base}/pdf/signed`)).status).toBe(404)
    await accept(budget, patient)
    await isReady(budget.id)
    const { status, headers } = await patient.get(`${budget.base}/pdf/signed`)
    expect(status).toBe(200)
    expect(headers.get('ratelimit-policy')).toBe('"signed-pdf";q=10;w=60')
    expect(headers.get('ratelimit')).toBe('"signed-pdf";r=9;t=60')
  })

  test('by HEAD has no effect', async () => {
    const { budget, patient } = await anAcceptedBudget()
    const { status, headers, bytes } = await patient.head(`${budget.base}/pdf/signed`)
    expect(status).toBe(200)
    expect(headers.get('etag')).toMatch(/^"[0-9a-f]{64}"$/)
    expect(bytes).toHaveLength(0)
    expect(await logOf(budget.id, 'signed_pdf_download')).toEqual([])
  })

  test('works after the link was opened anew: the signed copy is there for ever', async () => {
    const { budget } = await anAcceptedBudget()
    const later = await aVerifiedPatient(instance, budget)
    expect((await later.get(`${budget.base}/pdf/signed`)).status).toBe(200)
  })

  test.each(['changed', 'missing'])('of %s bytes is refused: 500 fingerprint_mismatch, logged, and a finding', async (how) => {
    const { budget, patient } = await anAcceptedBudget()
    const file = join(instance.storage, 'documents', (await rowOf(budget.id)).signed_pdf_key)
    const bytes = readFileSync(file)
    if (how === 'missing') rmSync(file)
    else writeFileSync(file, Buffer.concat([bytes, Buffer.from('\n')]))
    const { status, body } = await patient.get(`${budget.base}/pdf/signed`)
    expect([status, body.code]).toEqual([500, 'fingerprint_mismatch'])
    expect(await logOf(budget.id, 'signed_pdf_download')).toMatchObject([{ success: false, detail: { reason: 'fingerprint_mismatch' } }])
    const module = instance.runtime.services.registry.get('budget')!
    expect(await module.definition.doctor!(module.ctx)).toContainEqual(expect.objectContaining({ code: 'fingerprint_mismatch', object: `${budget.number} v1` }))
    writeFileSync(file, bytes)
    expect((await patient.get(`${budget.base}/pdf/signed`)).status).toBe(200)
  })
})

describe('the unsigned PDF', () => {
  test('is shown inline, in the wanted language, and says so in the log', async () => {
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
    expect((await instance.anonymous().get(`/api/v1/public/budgets/${'y'.repeat(43)}/pdf`)).body.code).toBe('link_not_found')
  })

  test('shows prices, struck originals and the total as the view does', async () => {
    const budget = await aSentBudget(instance, { global_discount: { type: 'percent', value: '10' } })
    const patient = await aVerifiedPatient(instance, budget)
    const text = await textOf((await patient.get(`${budget.base}/pdf`)).bytes)
    for (const part of ['121,00\u00A0€', '108,90\u00A0€', '−12,10\u00A0€']) expect(text).toContain(part)
  })
})

describe('the staff', () => {
  test('may read documents with budget.read; without a log-in or in another clinic there is nothing', async () => {
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

  test('see the PDF of a draft', async () => {
    const budget = await aSentBudget(instance)
    const { status, headers } = await staff.get(`${BUDGETS}/${budget.id}/pdf`)
    expect(status).toBe(200)
    expect(headers.get('content-disposition')).toContain('inline')
  })
})

describe('checking a document', () => {
  const check = (body: unknown) => instance.anonymous().post('/api/v1/public/documents/check', body)

  test('tells when and where it was signed, and nothing of the patient', async () => {
    const { budget } = await anAcceptedBudget()
    const { signed_pdf_sha256: sha256, decided_at } = await rowOf(budget.id)
    for (const written of [sha256, sha256.toUpperCase()]) {
      const { status, body } = await check({ sha256: written })
      expect(status).toBe(200)
      expect(body).toEqual({ data: { match: true, signed_at: new Date(decided_at).toISOString(), clinic_name: 'Clínica Peñalver' } })
    }
  })

  test('tells that there is no match', async () => {
    expect((await check({ sha256: '0'.repeat(64) })).body).toEqual({ data: { match: false, signed_at: null, clinic_name: null } })
  })

  test.each([[{}], [{ sha256: 'x'.repeat(64) }], [{ sha256: '0'.repeat(63) }], [{ sha256: 5 }], [{ sha256: '0'.repeat(64), more: 1 }]])('refuses %j', async (body) => {
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
