import { createHmac } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  ACCEPTANCE, aPatient, aSentBudget, aVerifiedPatient, BUDGETS, eventually, type SentBudget
} from '../../../support/builders.ts'
import type { Caller } from '../../../support/caller.ts'
import { evidenceOf } from '../../../support/documents/evidence.ts'
import { aPdfDesk, withPoppler } from '../../../support/documents/pdf-tools.ts'
import { anInstance, type Instance } from '../../../support/instance.ts'
import { sealNow } from '../../../support/logs.ts'
import { install, putZod } from '../../../support/modules/packages.ts'
import { aReceiver, type Receiver } from '../../../support/outside/receiver.ts'

// Two packages that were written from the documentation alone, and use only the kit's types.
const PAY_KEY = 'key-of-the-payment-provider'
const LOFT_KEY = 'key-of-the-clinic-at-the-loft'
const PAYMENTS = '/api/v1/public/deposits_by_hand/payments'
const SETTINGS = '/api/v1/clinic/settings'

let instance: Instance
let loft: Receiver
let admin: Caller
const desk = aPdfDesk()
beforeAll(async () => {
  loft = await aReceiver()
  loft.answer('/messages', takeMessage)
  instance = await anInstance({ env: { SVC_WEBHOOK_ALLOW_PRIVATE: 'true' } })
  putZod(instance.storage)
  await install(instance, 'svc-module-deposits-by-hand', 'svc-module-pigeon')
  admin = await instance.as('admin')
  await set('deposits_by_hand', { api_key: PAY_KEY })
  await set('pigeon', { server: loft.url, api_key: LOFT_KEY })
})
afterAll(async () => {
  await instance.close()
  await loft.close()
  desk.close()
})

let pigeons = 0
const takeMessage = (response: ServerResponse) =>
  void response.writeHead(200).end(JSON.stringify({ pigeon: `pigeon-${++pigeons}` }))

async function set(module: string, fields: Record<string, unknown>) {
  const { status, body } = await admin.patch(`${SETTINGS}/${module}`, fields)
  expect(status, JSON.stringify(body)).toBe(200)
}

/** A provider's report that is signed with its key. */
const report = (path: string, key: string, word: unknown) => {
  const raw = JSON.stringify(word)
  const signature = createHmac('sha256', key).update(raw).digest('hex')
  return instance.anonymous().post(path, undefined, { raw, headers: { 'x-signature': signature } })
}

test('both packages run', async () => {
  const rows = await instance.sql`
    select name, state, error_message from core_module where name in ('deposits_by_hand', 'pigeon') order by name`
  expect(rows).toEqual([
    { name: 'deposits_by_hand', state: 'installed', error_message: null },
    { name: 'pigeon', state: 'installed', error_message: null }
  ])
})

describe('a deposit', () => {
  interface Open { budget: SentBudget, patient: Caller, accept (): ReturnType<Caller['post']> }
  async function open(before_acceptance: boolean, locale = 'en'): Promise<Open> {
    await set('deposits_by_hand', { before_acceptance })
    const budget = await aSentBudget(instance, { patient_id: (await aPatient(admin, { locale })).id })
    const patient = await aVerifiedPatient(instance, budget)
    return { budget, patient, accept: () => patient.post(`${budget.base}/accept`, ACCEPTANCE) }
  }

  const pageOf = async ({ budget, patient }: Open) => (await patient.get(budget.base)).body.data
  /** The target of the link, as the provider reads it. */
  async function follow({ budget, patient }: Open) {
    const { status, headers } = await patient.get(`${budget.base}/x/deposits_by_hand/pay`)
    expect(status).toBe(303)
    return new URL(headers.get('location')!)
  }
  async function paymentOf(opened: Open) {
    const { reference, amount, currency } = Object.fromEntries((await follow(opened)).searchParams)
    return { reference, amount, currency, payment_id: 'pi_1', payer_name: 'Lucía Muñoz' }
  }
  const stateOf = async ({ budget: { id } }: Open) => (await instance.sql`
    select amount::text, due_on is not null as due, paid_at is not null as paid from deposits_by_hand where budget_id = ${id}`)[0]

  test.each([
    ['en', 'Please pay the deposit first'],
    ['es', 'Pague primero el anticipo']
  ])('that is required first refuses the acceptance in the patient’s language, and allows it once paid: %s', async (locale, text) => {
    const opened = await open(true, locale)
    expect((await opened.accept()).body).toMatchObject({
      status: 409, code: 'deposit_missing', module: 'deposits_by_hand', detail: expect.stringContaining(text)
    })
    expect((await report(PAYMENTS, PAY_KEY, await paymentOf(opened))).status).toBe(204)
    expect((await opened.accept()).status).toBe(200)
  })

  test('that is not required first is due after the acceptance', async () => {
    const opened = await open(false)
    expect((await pageOf(opened)).sections ?? []).toEqual([])
    expect(await stateOf(opened)).toEqual({ amount: '36.30', due: false, paid: false })
    expect((await opened.accept()).status).toBe(200)
    expect(await stateOf(opened)).toEqual({ amount: '36.30', due: true, paid: false })
    expect((await pageOf(opened)).sections).toEqual([expect.objectContaining({ id: 'deposit' })])
  })

  test('has a section of the patient’s page, whose link leads to the provider without a script', async () => {
    const opened = await open(true)
    const { budget } = opened
    expect((await pageOf(opened)).sections).toEqual([{
      module: 'deposits_by_hand',
      id: 'deposit',
      title: 'Deposit',
      facts: [['Amount', '€36.30'], ['Due', expect.stringMatching(/20\d\d/)]],
      actions: [{ label: 'Pay', href: `${budget.base}/x/deposits_by_hand/pay`, kind: 'primary' }]
    }])
    const location = await follow(opened)
    expect(location.origin).toBe('https://pay.example.com')
    expect(location.searchParams.get('return_to')).toBe(`${instance.url}/p/budget/${budget.token}`)

    await report(PAYMENTS, PAY_KEY, await paymentOf(opened))
    expect((await pageOf(opened)).sections[0]).toMatchObject({ text: 'We have received your deposit. Thank you.' })
    expect((await follow(opened)).href).toBe(`${instance.url}/p/budget/${budget.token}`)
  })

  test('asks a person without a session who follows its link for the code', async () => {
    const { budget } = await open(true)
    const { body, status } = await instance.anonymous().get(`${budget.base}/x/deposits_by_hand/pay`)
    expect([status, body.code]).toEqual([401, 'code_required'])
  })

  test('is a condition in the content and in the evidence', async () => {
    const opened = await open(false)
    const clause = 'On acceptance a deposit of 30 % is due.'
    expect(JSON.stringify(await pageOf(opened))).toContain(clause)
    await opened.accept()
    await sealNow(instance, opened.budget.id)
    const { files } = await evidenceOf(admin, opened.budget.id)
    expect(Object.values(files).some(bytes => bytes.includes(clause))).toBe(true)
  })

  withPoppler('is a condition of the signed PDF', async () => {
    const opened = await open(false)
    await opened.accept()
    await sealNow(instance, opened.budget.id)
    const { bytes } = await admin.get(`${BUDGETS}/${opened.budget.id}/pdf/signed`)
    expect(await desk.text(bytes)).toContain('On acceptance a deposit of 30 % is due.')
  })

  test('is paid once, even if the provider reports it repeatedly, and is an advance in billing', async () => {
    const opened = await open(true)
    const payment = await paymentOf(opened)
    const answers = await Promise.all([1, 2, 3].map(() => report(PAYMENTS, PAY_KEY, payment)))
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204])
    const { id } = opened.budget
    const events = await instance.sql`
      select payload from core_event where name = 'deposits_by_hand.paid' and payload ->> 'budget_id' = ${id}`
    expect(events).toHaveLength(1)
    expect(events[0]!.payload).not.toHaveProperty('payer_name')
    const advances = await eventually(async () => {
      const rows = await instance.sql`select amount::text, reference from billing_advance where budget_id = ${id}`
      return rows.length > 0 && rows
    }, 'the advance')
    expect(advances).toHaveLength(1)
  })

  test.each([
    ['with another key', (payment: object) => report(PAYMENTS, 'another key', payment)],
    ['without a signature', (payment: object) => instance.anonymous().post(PAYMENTS, payment)],
    ['about an unknown deposit', (payment: object) => report(PAYMENTS, PAY_KEY, { ...payment, reference: instance.clinic.id })],
    ['without a payment in it', () => report(PAYMENTS, PAY_KEY, 'paid')]
  ])('is not paid by a report %s: 401', async (_, forge) => {
    const opened = await open(true)
    const { status, body } = await forge(await paymentOf(opened))
    expect([status, body.code]).toEqual([401, 'signature_wrong'])
    expect(await stateOf(opened)).toMatchObject({ paid: false })
  })

  test('stays paid in a new version of the budget', async () => {
    const opened = await open(true)
    await report(PAYMENTS, PAY_KEY, await paymentOf(opened))
    const { body } = await admin.post(`${BUDGETS}/${opened.budget.id}/revise`)
    await admin.post(`${BUDGETS}/${body.data.id}/send`, { channel: 'manual', code: '482913' })
    expect(await stateOf({ ...opened, budget: { ...opened.budget, id: body.data.id } })).toMatchObject({ paid: true })
  })
})

describe('a secret in the settings', () => {
  test.each(['deposits_by_hand', 'pigeon'])('never leaves the server: %s', async (module) => {
    const { body } = await admin.get(`${SETTINGS}/${module}`)
    expect(JSON.stringify(body)).toContain('"api_key":{"set":true}')
    const everywhere = [
      body,
      (await admin.get(SETTINGS)).body,
      (await admin.get('/api/v1/clinic')).body,
      (await admin.get('/api/v1/audit')).body,
      await instance.sql`select * from core_module_setting`
    ]
    expect(JSON.stringify(everywhere)).not.toMatch(new RegExp(`${PAY_KEY}|${LOFT_KEY}`))
  })
})

describe('the pigeon channel', () => {
  let patients = 0
  /** A patient with a separate number. */
  async function aPersonWithPhone() {
    const phone = `+3460000${String(++patients).padStart(4, '0')}`
    return { phone, patient_id: (await aPatient(admin, { phone })).id as string }
  }
  const messagesTo = (phone: string) => eventually(async () => {
    const found = loft.received.filter(({ json }) => json?.to === phone)
    return found.length > 0 && found
  }, 'a pigeon')
  const deliveryOf = async (id: string) => (await admin.get(`${BUDGETS}/${id}`)).body.data.link
  const becomes = (id: string, delivery: string) => eventually(async () => {
    const link = await deliveryOf(id)
    return link.delivery === delivery && link
  }, delivery)
  /** The loft's report about the message. */
  const reportOn = (message: { json: any }, pigeon: string, word: object, key = LOFT_KEY) =>
    report(new URL(message.json.report_to).pathname, key, { pigeon, ...word })

  test('delivers the link according to its report, while a repeated or forged report changes nothing', async () => {
    const { phone, patient_id } = await aPersonWithPhone()
    const { id } = await aSentBudget(instance, { patient_id }, { channel: 'pigeon' })
    const [message] = await messagesTo(phone)
    expect(message).toMatchObject({
      headers: { 'authorization': `Bearer ${LOFT_KEY}`, 'idempotency-key': expect.stringMatching(/^[0-9a-f-]{36}$/) },
      json: { kind: 'link', locale: 'es', text: expect.stringContaining('http') }
    })
    await becomes(id, 'sent')
    const pigeon = `pigeon-${pigeons}`
    expect((await reportOn(message!, pigeon, { state: 'failed' }, 'another key')).status).toBe(401)
    expect((await reportOn(message!, pigeon, { state: 'delivered' })).status).toBe(204)
    expect((await reportOn(message!, pigeon, { state: 'delivered' })).status).toBe(204)
    await becomes(id, 'delivered')
    expect((await reportOn(message!, pigeon, { state: 'failed', reason: 'A hawk.' })).status).toBe(204)
    expect(await deliveryOf(id)).toMatchObject({ delivery: 'delivered' })
    expect((await reportOn(message!, pigeon, { state: 'eaten' })).status).toBe(422)
  })

  test('shows a message that can never arrive as a failed delivery with its reason', async () => {
    const { phone, patient_id } = await aPersonWithPhone()
    loft.answer('/messages', 422)
    const { id } = await aSentBudget(instance, { patient_id }, { channel: 'pigeon' })
    await messagesTo(phone)
    expect(JSON.stringify(await becomes(id, 'failed'))).toContain('No pigeon knows this number')
    loft.answer('/messages', takeMessage)
  })

  test('sends the code to patients who got the link by email, if the clinic has chosen it', async () => {
    await set('budget', { code_by: 'pigeon' })
    const { phone, patient_id } = await aPersonWithPhone()
    const { base } = await aSentBudget(instance, { patient_id }, { channel: 'email' })
    // The patient requests it on the page.
    const { status, body } = await instance.anonymous().post(`${base}/codes`, { channel: 'pigeon' })
    expect([200, 202, 204], JSON.stringify(body)).toContain(status)
    const [message] = await messagesTo(phone)
    expect(message!.json).toMatchObject({ kind: 'code', text: expect.stringMatching(/\d{4,8}/) })
    expect(message!.json.text).not.toContain('/p/')
  })
})
