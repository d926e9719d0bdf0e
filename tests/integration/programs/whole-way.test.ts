import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ACCEPTANCE, BUDGETS } from '../../support/builders.ts'
import { createCaller, type Answer, type Caller } from '../../support/caller.ts'
import { verified } from '../../support/outside/receiver.ts'
import { aWebhookWorld, type WebhookWorld } from '../../support/webhooks.ts'

let world: WebhookWorld
let program: Caller
beforeAll(async () => {
  world = await aWebhookWorld()
  const { body } = await world.admin.post('/api/v1/tokens', {
    name: 'Practice software',
    scopes: ['clinical.write', 'catalog.write', 'budget.read', 'budget.write', 'webhooks.manage']
  })
  program = createCaller(world.instance.url, { bearer: body.data.token })
})
afterAll(() => world.close())

/** The number of rows of each kind that a repeated call could create again. */
async function everything(): Promise<object> {
  const [row] = await world.instance.sql`
    select (select count(*)::int from clinical_patient) as patients, (select count(*)::int from catalog_treatment) as treatments,
      (select count(*)::int from budget) as budgets, (select count(*)::int from core_event) as events,
      (select count(*)::int from budget_access_log) as log, (select count(*)::int from core_webhook) as webhooks`
  return { ...row }
}

/** Calls twice with one key. The second call changes nothing and returns the same. */
async function twice(path: string, body: object): Promise<Answer> {
  const key = { headers: { 'idempotency-key': randomUUID() } }
  const first = await program.post(path, body, key)
  const before = await everything()
  const second = await program.post(path, body, key)
  const { secret: _once, ...kept } = first.body.data
  expect([second.status, second.headers.get('idempotency-replayed')]).toEqual([first.status, 'true'])
  expect(second.body.data).toMatchObject(kept)
  expect(await everything()).toEqual(before)
  return first
}

/** Created by PUT, which can be repeated in the same way. */
async function put(path: string, body: object): Promise<string> {
  const first = await program.put(path, body)
  expect(first.status).toBe(201)
  const before = await everything()
  const second = await program.put(path, body)
  expect([second.status, second.body.data.id]).toEqual([200, first.body.data.id])
  expect(await everything()).toEqual(before)
  return first.body.data.id as string
}

test('a program with a clinic token creates a patient, treatments and a budget by external id, sends it, and, after a person has given the patient the code, fetches the signed PDF after a webhook; repeating any call with its Idempotency-Key changes nothing', async () => {
  const path = `/${randomUUID()}`
  const hook = await twice('/api/v1/webhooks', { url: world.receiver.url + path, events: ['budget.signed_pdf_ready'] })
  expect(hook.status).toBe(201)

  const ana = { first_name: 'Ana', last_name: 'Ruiz' }
  const patient_id = await put('/api/v1/clinical/patients/by-external-id/pms/4711', ana)
  const professional_id = await put('/api/v1/clinical/professionals/by-external-id/pms/17', { name: 'Elena Vidal' })
  const items: { treatment_id: string }[] = []
  for (const code of ['crown', 'cleaning']) {
    const treatment = { code, name: { es: code }, unit_price: '100.00', vat: '0' }
    items.push({ treatment_id: await put(`/api/v1/catalog/treatments/by-external-id/pms/${code}`, treatment) })
  }
  const id = await put(`${BUDGETS}/by-external-id/pms/plan-1`, { patient_id, professional_id, items })
  // Also by POST, as programs do that store the service's ids.
  expect((await twice('/api/v1/clinical/patients', ana)).status).toBe(201)
  expect((await twice(BUDGETS, { patient_id, items })).status).toBe(201)

  const sent = await twice(`${BUDGETS}/${id}/send`, { channel: 'manual' })
  const { url } = sent.body.data as { url: string }
  // The code is for people: a member of staff creates it and gives it to the patient.
  const code = await world.admin.post(`${BUDGETS}/${id}/set-public-code`, { generate: true })
  const base = `/api/v1/public/budgets/${url.split('/').at(-1)}`
  const patient = world.instance.anonymous()
  expect((await patient.post(`${base}/verify`, { code: code.body.data.public_code })).status).toBe(200)
  expect((await patient.post(`${base}/accept`, ACCEPTANCE)).status).toBe(200)

  const [message] = await world.receiver.at(path)
  const event = verified(hook.body.data.secret, message!) as { data: { budget_id: string, sha256: string } }
  expect(event.data.budget_id).toBe(id)
  const pdf = await program.get(`${BUDGETS}/${event.data.budget_id}/pdf/signed`)
  expect(pdf.status).toBe(200)
  expect(createHash('sha256').update(pdf.bytes).digest('hex')).toBe(event.data.sha256)
  expect((await program.get(`${BUDGETS}/by-external-id/pms/plan-1`)).body.data).toMatchObject({ id, status: 'accepted' })
})
