import { flushPromises } from '@vue/test-utils'
import { beforeEach, expect, test } from 'vitest'
import { BudgetInvoices, SplitDialog } from '#components'
import { answers, forgetSession, signIn } from '../support/api.ts'
import { button, draw, press, said } from '../support/screen.ts'

const ID = '0197c6a0-0000-7000-8000-0000000000a0'
const [CROWN, FILLING] = ['0197c6a0-0000-7000-8000-0000000000a1', '0197c6a0-0000-7000-8000-0000000000a2']
const invoice = {
  currency: 'EUR',
  locale: 'en',
  items: [
    { id: CROWN, name: { en: 'Crown' }, quantity: 1, price: '100.00' },
    { id: FILLING, name: { en: 'Filling' }, quantity: 3, price: '150.00' }
  ]
} as never

beforeEach(async () => {
  forgetSession()
  await signIn({ permissions: ['billing.read', 'billing.write', 'budget.read'] })
})

async function aDialog() {
  const asked: unknown[] = []
  await draw(SplitDialog, {
    props: { open: true, invoice, saving: false, error: null, onSplit: (request: unknown) => asked.push(request) }
  })
  await expect.poll(() => said()).toContain('Split this draft?')
  return asked
}
async function choose(at: number) {
  document.querySelectorAll<HTMLElement>('[role=checkbox]')[at]!.click()
  await flushPromises()
}

test('a split needs a chosen line, and leaves a part of one', async () => {
  const asked = await aDialog()
  await press('Split')
  await expect.poll(() => said()).toContain('Choose at least one line.')
  await choose(0)
  await choose(1)
  await expect.poll(() => said()).toContain('Leave at least a part of one line in this draft.')
  await press('Split')
  expect(asked).toEqual([])
  await choose(1)
  await press('Split')
  expect(asked).toEqual([{ items: [{ item_id: CROWN }] }])
})

test('a split can move a part of a quantity', async () => {
  const asked = await aDialog()
  expect(said()).not.toContain('at most 3')
  await choose(1)
  expect(said()).toContain('Quantity, at most 3')
  document.querySelector<HTMLElement>('[role=spinbutton]')!
    .dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }))
  await flushPromises()
  await press('Split')
  await expect.poll(() => asked).toEqual([{ items: [{ item_id: FILLING, quantity: 2 }] }])
})

const billed = (fields: object = {}) => ({
  budget_id: ID, currency: 'EUR', total: '250.00', invoiced: '100.00', credited: '0.00', open: '150.00',
  cancelled: '0.00', done: { items: 0, amount: '0.00' }, items: [], ...fields
})
const aRow = {
  id: ID, kind: 'invoice', credits: null, number: null, status: 'draft', title: null,
  budget: { id: ID, number: 'PRES-2026-0001', version: 1 }, patient: { id: ID, first_name: 'Ana', last_name: 'Sol' },
  currency: 'EUR', total: '150.00', tax: '0.00', credited: '0.00', paid: '0.00', paid_in_advance: '0.00', due: '150.00',
  created_at: '2026-01-02T11:00:00.000Z', updated_at: '2026-01-02T11:00:00.000Z', issued_at: null, due_on: null,
  cancelled_at: null
}

test('the budget\'s page shows what is invoiced and what is open, and why nothing done can be invoiced', async () => {
  answers('GET', '/api/v1/billing/invoices', { data: [aRow], total: 1 })
  answers('GET', `/api/v1/billing/budgets/${ID}`, { data: billed({ credited: '10.00' }) })
  await draw(BudgetInvoices, { props: { id: ID } })
  await expect.poll(() => said()).toMatch(/Invoiced€100\.00.*Credited[-−]€10\.00.*Not invoiced yet€150\.00/)
  expect(said()).not.toContain('Cancelled')
  expect(button('Invoice what is done').getAttribute('aria-disabled')).toBe('true')
})

test('“Invoice what is done” names the amount, and shows why it was refused', async () => {
  answers('GET', '/api/v1/billing/invoices', { data: [aRow], total: 1 })
  answers('GET', `/api/v1/billing/budgets/${ID}`, { data: billed({ done: { items: 2, amount: '60.00' } }) })
  const drafted = answers('POST', `/api/v1/billing/budgets/${ID}/invoice-done`, { status: 409, code: 'nothing_done' })
  await draw(BudgetInvoices, { props: { id: ID } })
  await expect.poll(() => said()).toContain('Done, still in drafts: €60.00')
  await press('Invoice what is done')
  await expect.poll(() => said()).toContain('No draft of this budget has a line that is done.')
  expect(drafted).toHaveLength(1)
})
