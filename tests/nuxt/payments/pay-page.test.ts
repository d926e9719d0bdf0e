import { describe, expect, test } from 'vitest'
import { clearNuxtState } from '#imports'
import PayPage from '../../../layers/payments/app/pages/pay/[token].vue'
import type { PayView } from '../../../layers/payments/shared/contract.ts'
import { answers } from '../support/api.ts'
import { findViolations } from '../support/axe.ts'
import { draw, findButton, one, said } from '../support/screen.ts'

const aView = (fields: Partial<PayView> = {}): PayView => ({
  clinic: { name: 'Clínica Sol', locale: 'en' }, kind: 'deposit', number: 'PRES-2026-0001', amount: '246.24',
  currency: 'EUR', due_on: '2026-01-09', state: 'open', pay_by: 'checkout', transfer: null, ...fields
})
const TRANSFER = { iban: 'ES9121000418450200051332', creditor: 'Clínica Sol SL', bic: null, reference: 'PRES20260001', qr: '/api/v1/public/payments/pay/abc/qr.svg' }

async function aPage(view: PayView | null, status = 200) {
  clearNuxtState()
  const asked = answers('GET', '/api/v1/public/payments/pay/abc', view ? { data: view } : { status, code: 'pay_link_not_found' })
  await draw(PayPage, { route: '/pay/abc?locale=en' })
  await expect.poll(() => asked.length).toBeGreaterThan(0)
}

describe('the page of one payment', () => {
  test('leads to the provider by a form that works without a script, and shows nothing else of the patient', async () => {
    await aPage(aView())
    await expect.poll(() => findButton('Pay €246.24')).toBeDefined()
    const form = one<HTMLFormElement>('form')
    expect(new URL(form.action).pathname).toBe('/api/v1/public/payments/pay/abc/checkout')
    expect(form.method).toBe('post')
    expect(said()).toMatch(/Clínica Sol.*Deposit for budget.*PRES-2026-0001.*€246\.24.*January 9, 2026/s)
    expect(await findViolations('main')).toEqual([])
  })

  test('has everything of a transfer, each with its own copy button, and the QR code', async () => {
    await aPage(aView({ pay_by: 'transfer', transfer: TRANSFER }))
    await expect.poll(() => said()).toContain('ES91 2100 0418 4502 0005 1332')
    expect(one<HTMLImageElement>('img').getAttribute('src')).toBe(TRANSFER.qr)
    const copies = [...document.querySelectorAll('dd button')].map(found => found.getAttribute('aria-label'))
    expect(copies).toEqual(['Copy: Recipient', 'Copy: Account (IBAN)', 'Copy: Amount', 'Copy: Payment reference'])
    expect(await findViolations('main')).toEqual([])
  })

  test.each([
    ['pending', 'Payment not confirmed yet'],
    ['paid', 'Paid. Thank you!'],
    ['failed', 'The payment failed'],
    ['cancelled', 'You don’t have to pay this any more'],
    ['refunded', 'Refunded']
  ] as const)('says that a payment is %s', async (state, text) => {
    await aPage(aView({ state, pay_by: null }))
    await expect.poll(() => said(one('[role=status]'))).toContain(text)
    expect(one('form')).toBeNull()
  })

  test('says that online payment is not possible at the moment', async () => {
    await aPage(aView({ pay_by: null }))
    await expect.poll(() => said()).toContain('You can’t pay online at the moment.')
  })

  test.each([
    [404, 'This link is no longer valid'],
    [503, 'We can’t reach your payment right now']
  ])('says after a response %i that “%s”', async (status, text) => {
    await aPage(null, status)
    await expect.poll(() => said()).toContain(text)
  })
})
