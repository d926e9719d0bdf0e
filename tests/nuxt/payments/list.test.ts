import { beforeEach, expect, test } from 'vitest'
import PaymentPage from '../../../layers/payments/app/pages/payments/[id].vue'
import PaymentsPage from '../../../layers/payments/app/pages/payments/index.vue'
import { answers, forgetSession, signIn } from '../support/api.ts'
import { findViolations } from '../support/axe.ts'
import { draw, one, said } from '../support/screen.ts'
import { anAttempt, aPaidRequest, aRequest, ATTEMPT, ID } from './records.ts'

const REQUESTS = '/api/v1/payments/requests'
beforeEach(async () => {
  forgetSession()
  await signIn({ permissions: ['payments.read', 'payments.write', 'budget.read'] })
})
const tab = (name: string) => [...document.querySelectorAll('nav a')].find(link => said(link).startsWith(name))!

test('the list has a tab for each status and one for what needs attention, and each row leads to its request', async () => {
  const asked = answers('GET', REQUESTS, { data: [aPaidRequest({ attention: ['paid_twice'] })], total: 1 })
  await draw(PaymentsPage, { route: '/payments?state=paid&search=PRES' })
  await expect.poll(() => said()).toMatch(/Ana.*Sol.*Paid twice/s)
  expect(asked[0]!.query).toMatchObject({ state: 'paid', search: 'PRES', sort: '-created_at' })
  expect(one('table a, li a[href^="/payments/"]').getAttribute('href')).toBe(`/payments/${ID}`)
  for (const name of ['All', 'Open', 'Waiting for the bank', 'Paid', 'Failed', 'Cancelled', 'Refunded']) expect(tab(name)).toBeDefined()
  expect(tab('Paid').getAttribute('aria-current')).toBe('page')
  expect(tab('Needs attention').getAttribute('href')).toContain('attention=true')
  expect(await findViolations('main')).toEqual([])
})

test('the page of a request has its facts, each attempt and each refund with what the provider said', async () => {
  answers('GET', `${REQUESTS}/${ID}`, {
    data: aPaidRequest({
      refunded: '20.00',
      attempts: [anAttempt()],
      refunds: [{
        id: ID, attempt_id: ATTEMPT, amount: '20.00', state: 'refused', reason: 'One visit less.', detail: 'Balance too low',
        created_at: '2026-01-04T10:00:00.000Z', created_by: { id: ID, name: 'Eva Roca' }, done_at: null
      }]
    })
  })
  await draw(PaymentPage, { route: `/payments/${ID}` })
  await expect.poll(() => said()).toContain('Refund refused')
  expect(said()).toMatch(/Stripe · Card.*pi_1.*€20\.00.*Eva Roca.*One visit less\..*Balance too low/s)
  expect(one('a[href^="/budgets/"]').textContent).toContain('PRES-2026-0001')
  expect(await findViolations('main')).toEqual([])
})

test('the page of a cancelled request says why', async () => {
  answers('GET', `${REQUESTS}/${ID}`, {
    data: aRequest({ state: 'cancelled', cancelled_at: '2026-01-05T10:00:00.000Z', cancel_reason: 'withdrawn' })
  })
  await draw(PaymentPage, { route: `/payments/${ID}` })
  await expect.poll(() => said()).toContain('The acceptance was withdrawn.')
})

test('people without the permission see no payments', async () => {
  await signIn({ permissions: [] })
  const asked = answers('GET', REQUESTS, { data: [], total: 0 })
  await draw(PaymentsPage, { route: '/payments' })
  await expect.poll(() => said()).toContain('payments.read')
  expect(asked.filter(({ query }) => query.search === 'never')).toEqual([])
})
