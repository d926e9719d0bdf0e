import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { aSentBudget, aVerifiedPatient, BUDGETS, eventually } from '../../support/builders.ts'
import type { Caller } from '../../support/caller.ts'
import { INVOICES } from '../../support/documents/invoices.ts'
import type { Instance } from '../../support/instance.ts'
import { idsOf, aCatalog, dear, offers, openOffer, type Treatments } from '../../support/offers.ts'
import { aPayingInstance, choose, paymentCalls, REQUESTS, TRANSFER } from '../../support/providers/payments.ts'

let instance: Instance
let staff: Caller
let calls: ReturnType<typeof paymentCalls>
let treatments: Treatments
beforeAll(async () => {
  instance = await aPayingInstance()
  staff = await instance.as('admin')
  calls = paymentCalls(instance, staff)
  treatments = await aCatalog(staff)
})
afterAll(() => instance?.close())
beforeEach(() => choose(staff, TRANSFER))

const { offer } = offers(() => treatments)
/** A budget without conditions has no such member. */
const clausesOf = async (base: string, patient: Caller) => (await patient.get(base)).body.data.clauses ?? []
const sectionOf = async (base: string, patient: Caller) =>
  (await patient.get(base)).body.data.sections.find((section: { id: string }) => section.id === 'deposit')

describe('the condition', () => {
  test('states percentage and amount of a budget without choices', async () => {
    const budget = await aSentBudget(instance)
    const patient = await aVerifiedPatient(instance, budget)
    expect(await clausesOf(budget.base, patient)).toEqual([expect.objectContaining({
      title: 'Anticipo',
      text: expect.stringMatching(
        /^Al aceptar se debe un anticipo del 30\s% del total aceptado: 36,30\s€\. Páguelo en un plazo de 7 días desde la aceptación\.$/
      )
    })])
  })

  test('of a deposit that is due at once has no other time', async () => {
    await choose(staff, { due_days: 0 })
    const budget = await aSentBudget(instance)
    const [{ text }] = await clausesOf(budget.base, await aVerifiedPatient(instance, budget))
    expect(text).toMatch(/36,30\s€\.$/)
    await choose(staff, { due_days: 7 })
  })

  test('states the percentage alone where the patient can choose, and the request is of the accepted total', async () => {
    const { budget, patient, view, price, accept } = await openOffer(instance, offer())
    const before = await view()
    expect(before.clauses[0].text).toBe('Al aceptar se debe un anticipo del 30\u00A0% del total aceptado. Páguelo en un plazo de 7 días desde la aceptación.')
    const selection = dear(idsOf(before))
    const { content_digest } = (await price(selection)).body.data
    expect((await accept({ selection, content_digest })).status).toBe(200)
    expect(await eventually(() => calls.depositOf(budget.id))).toMatchObject({ amount: '135.00', state: 'open' })
    expect((await sectionOf(budget.base, patient)).facts.length).toBe(6)
  })

  test('keeps the terms of the day it was sent', async () => {
    const budget = await aSentBudget(instance)
    await choose(staff, { deposit: 'none' })
    const patient = await aVerifiedPatient(instance, budget)
    await patient.post(`${budget.base}/accept`, {
      signer_name: 'Lucía Muñoz', relationship: 'patient', signature: { method: 'click' }, consent: true
    })
    expect(await eventually(() => calls.depositOf(budget.id))).toMatchObject({ amount: '36.30' })
    const none = await aSentBudget(instance)
    expect(await clausesOf(none.base, await aVerifiedPatient(instance, none))).toEqual([])
  })
})

describe('a deposit by transfer', () => {
  test('is on the patient\'s page with the account, and paid when the staff say so: then billing has an advance', async () => {
    const { budget, patient, request, pay } = await calls.accepted()
    expect(request).toMatchObject({ kind: 'deposit', state: 'open', amount: '36.30', currency: 'EUR', refunded: '0.00' })
    const section = await sectionOf(budget.base, patient)
    expect(section.facts.map(([, value]: string[]) => value)).toEqual([
      'Pendiente de pago', expect.stringMatching(/36,30/), expect.any(String), 'ES91 2100 0418 4502 0005 1332',
      'Clínica Peñalver', request.reference
    ])
    expect(section.actions.map(({ href }: { href: string }) => href)).toEqual([`${pay}?locale=es`])
    expect(section.image.src).toBe(pay.replace(/pay$/, 'qr.svg'))
    const picture = await patient.get(section.image.src)
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
    const onward = await patient.get(pay)
    expect([onward.status, onward.headers.get('location')]).toEqual([303, expect.stringMatching(/^\/pay\/[\w-]{43}$/)])

    expect((await patient.get(`${pay}?locale=ar`)).headers.get('location')).toMatch(/\?locale=ar$/)

    const link = `/api/v1/public/payments${onward.headers.get('location')}`
    const view = (await instance.anonymous().get(link)).body.data
    expect(view).toEqual({
      clinic: { name: 'Clínica Peñalver', locale: expect.any(String) },
      kind: 'deposit',
      number: budget.number,
      amount: '36.30',
      currency: 'EUR',
      due_on: request.due_on,
      state: 'open',
      pay_by: 'transfer',
      transfer: {
        iban: TRANSFER.iban, creditor: TRANSFER.creditor, bic: null, reference: request.reference, qr: `${link}/qr.svg`
      }
    })

    const paid = await staff.post(`${REQUESTS}/${request.id}/paid`, { method: 'transfer', reference: 'BANK-1' })
    expect([paid.status, paid.body.data.state, paid.body.data.method]).toEqual([200, 'paid', 'transfer'])
    expect(await calls.recorded(budget.id)).toMatchObject([
      { id: paid.body.data.attempts[0].id, amount: '36.30', method: 'transfer', reference: 'BANK-1' }
    ])
    expect((await sectionOf(budget.base, patient)).text).toBe('Hemos recibido su pago. Gracias.')
    expect((await instance.anonymous().get(link)).body.data).toMatchObject({ state: 'paid', pay_by: null, transfer: null })
    expect((await staff.post(`${REQUESTS}/${request.id}/paid`, { method: 'cash' })).body.code).toBe('request_closed')
  })

  test('ends when the acceptance is withdrawn; money that still comes is recorded, and needs attention', async () => {
    const { budget, request } = await calls.accepted()
    const { status } = await staff.post(`${BUDGETS}/${budget.id}/withdraw`, { requested_by: 'patient', reason: 'No.' })
    expect(status).toBe(200)
    await eventually(async () => (await calls.read(request.id)).state === 'cancelled', 'the end of the request')
    const late = await staff.post(`${REQUESTS}/${request.id}/paid`, { method: 'transfer', again: true })
    expect(late.body.data).toMatchObject({ state: 'cancelled', cancel_reason: 'withdrawn', attention: ['paid_late'] })
    await calls.recorded(budget.id)
    const { body } = await staff.get('/api/v1/payments/attention')
    expect(body.data.requests.map(({ id }: { id: string }) => id)).toContain(request.id)
    const refund = await staff.post(`${REQUESTS}/${request.id}/refund`, {
      attempt_id: late.body.data.attempts[0].id, reason: 'Withdrawn.'
    })
    expect(refund.body.data).toMatchObject({ attention: [], refunds: [{ state: 'done', amount: '36.30' }] })
    await eventually(async () => (await calls.advancesOf(budget.id))[0].returned === '36.30', 'the return')
  })
})

describe('a request on an issued invoice', () => {
  test('is at most what is due, and pays the invoice', async () => {
    const { invoice, budget } = await calls.issued()
    const deposit = await eventually(() => calls.depositOf(budget.id))
    await staff.post(`${REQUESTS}/${deposit.id}/cancel`, { reason: 'With the invoice.' })
    const ask = (fields: object) => staff.post(REQUESTS, { invoice_id: invoice.id, ...fields })
    expect((await ask({ amount: '121.01' })).body).toMatchObject({ code: 'over_due', due: '121.00' })
    const made = await ask({ amount: '100.00' })
    expect([made.status, made.body.data.state, made.body.data.invoice.number]).toEqual([201, 'open', invoice.number])
    await staff.post(`${REQUESTS}/${made.body.data.id}/paid`, { method: 'cash' })
    await eventually(async () => (await staff.get(`${INVOICES}/${invoice.id}`)).body.data.due === '21.00', 'the payment')
    const part = await staff.post(`${REQUESTS}/${made.body.data.id}/refund`, { amount: '40.00', reason: 'Too much.' })
    expect(part.body.data).toMatchObject({ state: 'paid', refunded: '40.00' })
    await eventually(async () => (await staff.get(`${INVOICES}/${invoice.id}`)).body.data.due === '61.00', 'the return')
    const rest = await staff.post(`${REQUESTS}/${made.body.data.id}/refund`, { reason: 'All.' })
    expect(rest.body.data).toMatchObject({ state: 'refunded', refunded: '100.00' })
    expect((await staff.post(`${REQUESTS}/${made.body.data.id}/refund`, { reason: 'More.' })).body.code).toBe('over_refund')
  })

  test('is mailed with a link that names no person, and can\'t be paid once the invoice is paid at the desk', async () => {
    const { invoice } = await calls.issued()
    const { body } = await staff.post(REQUESTS, { invoice_id: invoice.id })
    await eventually(async () => (await calls.read(body.data.id)).mailed_at, 'the email')
    const link = await calls.payPath(body.data.id)
    expect((await instance.anonymous().get(link)).body.data).toMatchObject({ number: invoice.number, pay_by: 'transfer' })
    await staff.post(`${INVOICES}/${invoice.id}/payments`, { amount: '121.00', method: 'cash' })
    expect((await instance.anonymous().get(link)).body.data).toMatchObject({ state: 'cancelled', pay_by: null })
  })

  test('is made once for a request_id', async () => {
    const { invoice } = await calls.issued()
    const request_id = crypto.randomUUID()
    const ask = (amount: string) => staff.post(REQUESTS, { invoice_id: invoice.id, request_id, amount })
    expect((await ask('10.00')).status).toBe(201)
    expect((await ask('10.00')).body.data.id).toBe(request_id)
    expect((await ask('11.00')).body.code).toBe('id_used')
    expect((await staff.get(`${REQUESTS}?invoice_id=${invoice.id}`)).body.total).toBe(1)
  })
})

test('an unknown link is not found, and another clinic sees no request', async () => {
  const { request } = await calls.accepted()
  expect((await instance.anonymous().get('/api/v1/public/payments/pay/unknown')).body.code).toBe('pay_link_not_found')
  const stranger = await instance.as('admin', await instance.anotherClinic())
  expect((await stranger.get(`${REQUESTS}/${request.id}`)).status).toBe(404)
  expect((await stranger.get(REQUESTS)).body.total).toBe(0)
  expect((await stranger.post(`${REQUESTS}/${request.id}/cancel`, { reason: 'x' })).status).toBe(404)
})
