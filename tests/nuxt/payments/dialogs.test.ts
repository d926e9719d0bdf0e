import { beforeEach, describe, expect, test } from 'vitest'
import { useToast } from '#imports'
import { BudgetPayments, InvoicePaymentRequests } from '#components'
import { answers, forgetSession, signIn } from '../support/api.ts'
import { findViolations } from '../support/axe.ts'
import { button, draw, one, press, said, type } from '../support/screen.ts'
import { anAttempt, aPaidRequest, aRequest, ATTEMPT, ID, type PaymentRequest } from './records.ts'

const REQUESTS = '/api/v1/payments/requests'
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

beforeEach(async () => {
  forgetSession()
  useToast() // an earlier test's message still removes itself from the list
  await signIn({ permissions: ['payments.read', 'payments.write', 'billing.read'] })
})
const field = (name: string) => one<HTMLInputElement>(`[role=dialog] [name="${name}"]`)
const dialog = () => one('[role=dialog]')
/** The dialog's own button, which has the same label as the one that opened it. */
const send = async (name: string) => {
  [...dialog().querySelectorAll('button')].find(found => found.textContent?.trim() === name)!.click()
}

/** The section of the budget's page with one request. */
async function aSection(request: PaymentRequest) {
  const asked = answers('GET', REQUESTS, { data: [request], total: 1 })
  answers('GET', `${REQUESTS}/${ID}`, { data: request })
  await draw(BudgetPayments, { props: { id: ID } })
  await expect.poll(() => said()).toContain('Payment requests')
  return asked
}

describe('the section of the budget\'s page', () => {
  test('shows amount, due date, status, attention and each attempt, and is accessible', async () => {
    const asked = await aSection(aPaidRequest({
      attention: ['paid_twice'],
      attempts: [anAttempt(), anAttempt({ id: ID, provider: 'manual', method: 'transfer', attention: 'paid_twice' })]
    }))
    expect(asked[0]!.query).toMatchObject({ budget_id: ID })
    expect(said()).toMatch(/Deposit for.*PRES-2026-0001.*€246\.24.*Paid.*Paid twice.*Due by.*Jan 9, 2026/s)
    expect(said()).toMatch(/Recorded by the clinic · Bank transfer.*Stripe · Card/s)
    expect(await findViolations('section')).toEqual([])
  })

  test('shows nothing while nothing was requested', async () => {
    const asked = answers('GET', REQUESTS, { data: [], total: 0 })
    await draw(BudgetPayments, { props: { id: ID } })
    await expect.poll(() => asked.length).toBe(1)
    expect(one('section')).toBeNull()
  })

  test.each([
    ['open', { 'Cancel request': null, 'Refund': 'No payment is left to refund.' }],
    ['paid', { 'Cancel request': 'It is paid.', 'Refund': null }],
    ['cancelled', { 'Cancel request': 'It was cancelled.', 'Refund': 'No payment is left to refund.' }]
  ] as const)('says for a request that is %s why an action can’t be used', async (state, reasons) => {
    await aSection(state === 'paid' ? aPaidRequest() : aRequest({ state }))
    for (const [label, reason] of Object.entries(reasons)) {
      const id = button(label).getAttribute('aria-describedby')
      expect([label, id && said(document.getElementById(id)!)]).toEqual([label, reason])
    }
  })

  test('offers no action to people without the permission', async () => {
    await signIn({ permissions: ['payments.read'] })
    await aSection(aRequest())
    expect(button('Mark as paid').getAttribute('aria-disabled')).toBe('true')
  })
})

describe('the dialog', () => {
  test('“Record another payment” records one of a request that is paid already', async () => {
    const asked = answers('POST', `${REQUESTS}/${ID}/paid`, { data: aPaidRequest() })
    await aSection(aPaidRequest())
    await press('Record another payment')
    await expect.poll(() => said()).toContain('The payment then needs your attention.')
    await send('Record another payment')
    await expect.poll(() => asked.map(({ body }) => body)).toEqual([
      { method: 'transfer', again: true, payment_id: expect.stringMatching(UUID) }
    ])
  })

  test('“Mark as resolved” removes a payment from what needs attention', async () => {
    const asked = answers('POST', `${REQUESTS}/${ID}/attention/clear`, { data: aPaidRequest() })
    await aSection(aPaidRequest({ attention: ['paid_twice'] }))
    await press('Mark as resolved')
    await expect.poll(() => said()).toContain('The payments themselves stay as they are.')
    expect(await findViolations('[role="dialog"]')).toEqual([])
    await send('Mark as resolved')
    await expect.poll(() => asked.map(({ body }) => body)).toEqual([{ reasons: ['paid_twice'] }])
    await expect.poll(dialog).toBeNull()
  })

  test('“Mark as paid” records method, day and reference once, and is accessible', async () => {
    const asked = answers('POST', `${REQUESTS}/${ID}/paid`, { data: aPaidRequest() })
    await aSection(aRequest())
    await press('Mark as paid')
    await expect.poll(() => said()).toContain('Record that')
    expect(await findViolations('[role="dialog"]')).toEqual([])
    await type(field('paid_at'), '2026-01-03')
    await type(field('reference'), 'Statement 7')
    await send('Mark as paid')
    await expect.poll(() => asked.map(({ body }) => body)).toEqual([{
      method: 'transfer', paid_at: '2026-01-03T11:00:00.000Z', reference: 'Statement 7', again: false, payment_id: expect.stringMatching(UUID)
    }])
    await expect.poll(dialog).toBeNull()
  })

  test('“Mark as paid” sends the same id again if there was no answer', async () => {
    let answered = false
    const asked = answers('POST', `${REQUESTS}/${ID}/paid`, () =>
      answered ? { data: aPaidRequest() } : { status: 503, code: 'busy' })
    await aSection(aRequest())
    await press('Mark as paid')
    await expect.poll(() => field('paid_at')).not.toBeNull()
    await send('Mark as paid')
    await expect.poll(() => one('[role=dialog] [role=alert]')).not.toBeNull()
    answered = true
    await send('Mark as paid')
    await expect.poll(() => asked.length).toBe(2)
    expect(asked[1]!.body).toEqual(asked[0]!.body)
  })

  test('“Refund” starts with what is left, says who pays it back, and asks for a reason', async () => {
    const asked = answers('POST', `${REQUESTS}/${ID}/refund`, { data: aPaidRequest() })
    await aSection(aPaidRequest({ attempts: [anAttempt({ refundable: '200.00' })] }))
    await press('Refund')
    await expect.poll(() => field('amount')?.value).toBe('200.00')
    expect(said(dialog())).toMatch(/Stripe pays the money back/)
    expect(await findViolations('[role="dialog"]')).toEqual([])
    await send('Refund')
    await expect.poll(() => said(dialog())).toContain('Fill this in.')
    await type(field('reason'), 'Treatment postponed.')
    await type(field('amount'), '250')
    await send('Refund')
    await expect.poll(() => said(dialog())).toMatch(/Enter at most.*€200\.00/)
    expect(asked).toEqual([])
    await type(field('amount'), '50')
    await send('Refund')
    await expect.poll(() => asked.map(({ body }) => body)).toEqual([{
      attempt_id: ATTEMPT, amount: '50.00', reason: 'Treatment postponed.', refund_id: expect.stringMatching(UUID)
    }])
  })

  test('“Refund” offers the second payment first, and shows the provider’s refusal', async () => {
    const refusal = { status: 409, code: 'over_refund' }
    answers('POST', `${REQUESTS}/${ID}/refund`, refusal)
    const twice = anAttempt({ id: ID, provider: 'manual', refundable: '246.24', attention: 'paid_twice' })
    await aSection(aPaidRequest({ attempts: [anAttempt(), twice], attention: ['paid_twice'] }))
    await press('Refund')
    await expect.poll(() => said(dialog())).toContain('Pay the money back yourself')
    await type(field('reason'), 'Twice.')
    await send('Refund')
    await expect.poll(() => said(dialog())).toMatch(/Enter at most/)
  })

  test('“Cancel request” asks for a reason, and warns while a payment is on its way', async () => {
    const asked = answers('POST', `${REQUESTS}/${ID}/cancel`, { data: aRequest({ state: 'cancelled' }) })
    await aSection(aRequest({ state: 'pending', attempts: [anAttempt({ state: 'pending', paid_amount: null, refundable: '0.00' })] }))
    await press('Cancel request')
    await expect.poll(() => said()).toContain('A payment is on its way.')
    expect(await findViolations('[role="dialog"]')).toEqual([])
    await type(field('reason'), 'Wrong amount.')
    await send('Cancel request')
    await expect.poll(() => asked.map(({ body }) => body)).toEqual([{ reason: 'Wrong amount.' }])
  })
})

describe('the section of the invoice\'s page', () => {
  const anInvoice = (fields: object) =>
    answers('GET', `/api/v1/billing/invoices/${ID}`, { data: { status: 'issued', due: '120.00', currency: 'EUR', ...fields } })

  test('asks for what is due by a link, or for less until a day', async () => {
    anInvoice({})
    answers('GET', REQUESTS, { data: [], total: 0 })
    const asked = answers('POST', REQUESTS, { status: 201, data: aRequest({ kind: 'invoice' }) })
    await draw(InvoicePaymentRequests, { props: { id: ID } })
    await expect.poll(() => said()).toContain('No payment was requested for this invoice.')
    await expect.poll(() => button('Request payment').getAttribute('aria-disabled')).toBeNull()
    await press('Request payment')
    await expect.poll(() => field('amount')?.value).toBe('120.00')
    expect(await findViolations('[role="dialog"]')).toEqual([])
    await type(field('amount'), '130')
    await send('Request payment')
    await expect.poll(() => said(dialog())).toMatch(/Enter at most.*€120\.00/)
    await type(field('amount'), '60.5')
    await type(field('due_on'), '2099-12-31')
    await send('Request payment')
    await expect.poll(() => asked.map(({ body }) => body)).toEqual([{
      invoice_id: ID, amount: '60.50', due_on: '2099-12-31', send: true, request_id: expect.stringMatching(UUID)
    }])
  })

  test.each([
    [{ status: 'draft' }, 'Only an issued invoice can be paid.'],
    [{ status: 'paid', due: '0.00' }, 'Nothing is due on this invoice.']
  ])('says of an invoice with %j why it can’t be requested', async (fields, reason) => {
    anInvoice(fields)
    answers('GET', REQUESTS, { data: [], total: 0 })
    await draw(InvoicePaymentRequests, { props: { id: ID } })
    await expect.poll(() => said(document.getElementById(button('Request payment').getAttribute('aria-describedby')!)!))
      .toBe(reason)
  })
})
