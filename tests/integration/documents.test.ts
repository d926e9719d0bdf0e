import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ACCEPTANCE, aSentBudget, aVerifiedPatient, BUDGETS, eventually, type SentBudget } from '../support/builders.ts'
import type { Caller } from '../support/caller.ts'
import { anInstance, type Instance } from '../support/instance.ts'

const hex = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

let it: Instance
beforeAll(async () => { it = await anInstance() })
afterAll(() => it.close())

async function anAcceptedBudget(fields = {}): Promise<{ budget: SentBudget, patient: Caller }> {
  const budget = await aSentBudget(it, fields)
  const patient = await aVerifiedPatient(it, budget)
  const accepted = await patient.post(`${budget.base}/accept`, ACCEPTANCE)
  expect(accepted.status, JSON.stringify(accepted.body)).toBe(200)
  await eventually(async () => (await patient.get(budget.base)).body.data.signed_pdf.status === 'ready', 'the signed PDF')
  return { budget, patient }
}

describe('the signed PDF', () => {
  test('is ready soon after accepting, and its hash is the fingerprint that view, record and headers show', async () => {
    const { budget, patient } = await anAcceptedBudget()
    const { status, headers, bytes } = await patient.get(`${budget.base}/pdf/signed`)
    expect(status).toBe(200)
    const sha256 = hex(bytes)
    expect((await patient.get(budget.base)).body.data.signed_pdf).toEqual({ status: 'ready', sha256 })
    const staff = await it.as('admin')
    expect((await staff.get(`${BUDGETS}/${budget.id}/signature`)).body.data.document_sha256).toBe(sha256)
    expect(headers.get('etag')).toBe(`"${sha256}"`)
    expect(headers.get('repr-digest')).toBe(`sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`)
    expect(headers.get('content-type')).toBe('application/pdf')
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${budget.number}-signed.pdf"`)
    expect(headers.get('cache-control')).toBe('no-store')
  })
})
