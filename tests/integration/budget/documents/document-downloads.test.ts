import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aSentBudget, aVerifiedPatient, BUDGETS } from '../../../support/builders.ts'
import type { Caller } from '../../../support/caller.ts'
import { documentsOf, type Documents } from '../../../support/documents/documents.ts'
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

describe('downloading the signed PDF', () => {
  test('needs an acceptance: 404 not_signed', async () => {
    const budget = await aSentBudget(instance)
    const patient = await aVerifiedPatient(instance, budget)
    const { status, body } = await patient.get(`${budget.base}/pdf/signed`)
    expect([status, body.code]).toEqual([404, 'not_signed'])
    expect(await logOf(budget.id, 'signed_pdf_download')).toMatchObject([
      { success: false, actor: 'patient', detail: { reason: 'not_signed' } }
    ])
    expect((await staff.get(`${BUDGETS}/${budget.id}/pdf/signed`)).body.code).toBe('not_signed')
  })

  test('needs a session, and a session of this link', async () => {
    const { budget } = await anAcceptedBudget()
    const other = await aSentBudget(instance)
    const stranger = await aVerifiedPatient(instance, other)
    const [cookie] = [...stranger.cookies.values()]
    const withForeign = await instance
      .anonymous()
      .get(`${budget.base}/pdf/signed`, { headers: { cookie: `budget_session=${cookie!.value}` } })
    expect([withForeign.status, withForeign.body.code]).toEqual([401, 'code_required'])
    const unknown = await instance.anonymous().get(`/api/v1/public/budgets/${'x'.repeat(43)}/pdf/signed`)
    expect([unknown.status, unknown.body.code]).toEqual([404, 'link_not_found'])
  })

  test('sends a person whose session ended back to the page', async () => {
    const { budget } = await anAcceptedBudget()
    const { status, headers } = await instance
      .anonymous()
      .get(`${budget.base}/pdf/signed`, { headers: { accept: 'text/html,*/*' } })
    expect(status).toBe(303)
    expect(headers.get('location')).toBe(`/p/budget/${budget.token}`)
  })

  test('is logged; requests without a session leave at most ten rows, and cost the patient nothing', async () => {
    const { budget, patient } = await anAcceptedBudget()
    const scanner = instance.anonymous()
    await Promise.all(Array.from({ length: 40 }, () => scanner.get(`${budget.base}/pdf/signed`)))
    const refused = await logOf(budget.id, 'signed_pdf_download')
    expect(refused).toHaveLength(10)
    expect(refused.every(row => !row.success && row.detail.reason === 'code_required')).toBe(true)
    expect((await patient.get(`${budget.base}/pdf/signed`)).status).toBe(200)
    expect((await logOf(budget.id, 'signed_pdf_download')).at(-1)).toMatchObject({ success: true, actor: 'patient' })
  })

  test('is logged and counted even if the request is marked as a prefetch', async () => {
    const { budget, patient } = await anAcceptedBudget()
    const headers = { 'sec-purpose': 'prefetch' }
    await instance.anonymous().get(`${budget.base}/pdf/signed`, { headers })
    expect((await patient.get(`${budget.base}/pdf/signed`, { headers })).headers.get('ratelimit')).toContain('r=9')
    await staff.get(`${BUDGETS}/${budget.id}/pdf/signed`, { headers })
    await staff.get(`${BUDGETS}/${budget.id}/evidence`, { headers })
    expect((await logOf(budget.id, 'signed_pdf_download')).map(({ actor, success }) => [actor, success])).toEqual([
      ['patient', false],
      ['patient', true],
      ['staff', true],
      ['staff', true]
    ])
  })

  test('succeeds ten times a minute, even if 20 come at once; the others are 429, and logged', async () => {
    const { budget, patient } = await anAcceptedBudget()
    const answers = await Promise.all(Array.from({ length: 20 }, () => patient.get(`${budget.base}/pdf/signed`)))
    expect(answers.filter(answer => answer.status === 200)).toHaveLength(10)
    const refused = answers.filter(answer => answer.status === 429)
    expect(refused).toHaveLength(10)
    expect(refused[0]!.body.code).toBe('too_many_requests')
    expect(Number(refused[0]!.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(Number(refused[0]!.headers.get('retry-after'))).toBeLessThanOrEqual(60)
    expect(refused[0]!.headers.get('ratelimit-policy')).toBe('"signed-pdf";q=10;w=60')
    expect(refused[0]!.headers.get('ratelimit')).toMatch(/^"signed-pdf";r=0;t=\d+$/)
    expect(refused[0]!.body).not.toHaveProperty('limit')
    const rows = await logOf(budget.id, 'signed_pdf_download')
    expect(rows.filter(row => row.success)).toHaveLength(10)
    expect(rows.filter(row => row.detail.reason === 'too_many_requests')).toHaveLength(10)
    expect((await staff.get(`${BUDGETS}/${budget.id}/pdf/signed`)).status).toBe(200)
  })

  test('counts only responses with the file, and shows the remaining number', async () => {
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

  test('works after the link was opened again, because the signed copy never expires', async () => {
    const { budget } = await anAcceptedBudget()
    const later = await aVerifiedPatient(instance, budget)
    expect((await later.get(`${budget.base}/pdf/signed`)).status).toBe(200)
  })

  test.each(['changed', 'missing'])(
    'is refused for a file of %s bytes: 500 fingerprint_mismatch, logged, and reported by the doctor',
    async (how) => {
      const { budget, patient } = await anAcceptedBudget()
      const file = join(instance.storage, 'documents', (await rowOf(budget.id)).signed_pdf_key)
      const bytes = readFileSync(file)
      if (how === 'missing') rmSync(file)
      else writeFileSync(file, Buffer.concat([bytes, Buffer.from('\n')]))
      const { status, body } = await patient.get(`${budget.base}/pdf/signed`)
      expect([status, body.code]).toEqual([500, 'fingerprint_mismatch'])
      expect(await logOf(budget.id, 'signed_pdf_download')).toMatchObject([
        { success: false, detail: { reason: 'fingerprint_mismatch' } }
      ])
      const module = instance.runtime.host.registry.get('budget')!
      expect(await module.definition.doctor!(module.ctx)).toContainEqual(
        expect.objectContaining({ code: 'fingerprint_mismatch', object: `${budget.number} v1` })
      )
      writeFileSync(file, bytes)
      expect((await patient.get(`${budget.base}/pdf/signed`)).status).toBe(200)
    }
  )
})
