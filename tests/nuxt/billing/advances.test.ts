import { beforeEach, expect, test } from 'vitest'
import { ApiError } from '#imports'
import { AdvanceDialog, AdvanceItem, PaymentDialog, ReturnDialog } from '#components'
import { forgetSession, signIn } from '../support/api.ts'
import { button, draw, one, press, said, type } from '../support/screen.ts'

type AdvanceRow = InstanceType<typeof AdvanceItem>['$props']['advance']

const ID = '0197c6a0-0000-7000-8000-0000000000a1'
const anAdvance = (fields: Partial<AdvanceRow> = {}): AdvanceRow => ({
  id: ID, number: 'REC-2026-0007', status: 'open', budget: { id: ID, number: 'PRES-2026-0001' },
  patient: { id: ID, first_name: 'Ana', last_name: 'Sol' }, currency: 'EUR', amount: '50.00', applied: '0.00',
  returned: '0.00', balance: '50.00', method: 'card', reference: null, note: null,
  paid_at: '2026-01-02T11:00:00.000Z', created_at: '2026-01-02T11:00:00.000Z', ...fields
})

const anError = (status: number, code: string) =>
  new ApiError({ type: 'about:blank', title: '', status, code, detail: '', request_id: '' })
const LOST = anError(0, 'offline')

beforeEach(async () => {
  forgetSession()
  await signIn({ permissions: ['billing.read', 'billing.write'] })
})
const field = (name: string) => one<HTMLInputElement>(`[name="${name}"]`)

test('an advance shows its receipt, its amount, its balance, and the amounts applied or returned', async () => {
  await draw(AdvanceItem, { props: { advance: anAdvance({ applied: '30.00', balance: '20.00', note: 'Deposit.' }) } })
  expect(one<HTMLAnchorElement>('a').getAttribute('href')).toBe(`/api/v1/billing/advances/${ID}/pdf`)
  expect(said()).toMatch(/Receipt.*REC-2026-0007.*Open.*€50\.00.*Balance €20\.00.*Applied €30\.00.*Deposit\./s)
})

test('an advance without a balance shows why it cannot be returned', async () => {
  await draw(AdvanceItem, { props: { advance: anAdvance({ status: 'applied', applied: '50.00', balance: '0.00' }) } })
  expect(button('Return').getAttribute('aria-disabled')).toBe('true')
  expect(said()).not.toContain('Balance')
})

test('the form for a return starts with the balance and asks for a reason', async () => {
  const asked: unknown[] = []
  const props = { advance: anAdvance({ balance: '20.00' }), saving: false, error: null, open: false }
  const { change } = await draw(ReturnDialog, { props: { ...props, onReturn: (body: unknown) => asked.push(body) } })
  await change({ open: true })
  await expect.poll(() => field('amount')?.value).toBe('20.00')
  await press('Return')
  expect(asked).toEqual([])
  await type(field('reason'), 'Moves away.')
  await press('Return')
  await expect.poll(() => asked).toEqual([
    { amount: '20.00', reason: 'Moves away.', reversal_id: expect.any(String) }
  ])
})

test('a return without a response is sent again with its id and form, and the next return has another id', async () => {
  const asked: { reversal_id: string, amount: string }[] = []
  const props = { advance: anAdvance(), saving: false, error: null as unknown, open: false }
  const { change } = await draw(ReturnDialog, { props: { ...props, onReturn: (body: never) => asked.push(body) } })
  const reopen = async (fields: object) => {
    await change({ open: false })
    await change({ error: null, ...fields, open: true })
    await expect.poll(() => field('amount')).toBeTruthy()
  }
  const send = async (n: number) => {
    await press('Return')
    await expect.poll(() => asked.length).toBe(n)
  }
  await reopen({})
  await type(field('amount'), '20.00')
  await type(field('reason'), 'Moves away.')
  await send(1)
  await change({ error: LOST })
  await reopen({})
  await send(2)
  expect(asked[1]).toEqual(asked[0])
  await reopen({ advance: anAdvance({ id: '0197c6a0-0000-7000-8000-0000000000a2', balance: '7.00' }) })
  await type(field('reason'), 'Moves away.')
  await send(3)
  expect(asked[2]!.amount).toBe('7.00')
  expect(asked[2]!.reversal_id).not.toBe(asked[0]!.reversal_id)
})

test('one opening of the dialog records its advance under one id, even if the button is pressed twice', async () => {
  const asked: { advance_id: string, amount: string }[] = []
  const props = { id: ID, currency: 'EUR', saving: false, error: null, open: false }
  const { change } = await draw(AdvanceDialog, { props: { ...props, onRecord: (body: never) => asked.push(body) } })
  await change({ open: true })
  await expect.poll(() => field('amount')).toBeTruthy()
  await type(field('amount'), '246.24')
  await press('Record advance')
  await press('Record advance')
  await expect.poll(() => asked.length).toBe(2)
  expect(asked[0]).toMatchObject({ budget_id: ID, amount: '246.24', method: 'card' })
  expect(asked[1]!.advance_id).toBe(asked[0]!.advance_id)
})

test('after a lost response an advance keeps its id and form until the server has answered for this id', async () => {
  const asked: { advance_id: string, amount: string }[] = []
  const props = { id: ID, currency: 'EUR', saving: false, error: null as unknown, open: false }
  const { change } = await draw(AdvanceDialog, { props: { ...props, onRecord: (body: never) => asked.push(body) } })
  const reopen = async () => {
    await change({ open: false })
    await change({ error: null, open: true })
    await expect.poll(() => field('amount')).toBeTruthy()
  }
  const send = async (n: number) => {
    await press('Record advance')
    await expect.poll(() => asked.length).toBe(n)
  }
  await reopen()
  await type(field('amount'), '20.00')
  await send(1)
  await change({ error: LOST })
  // The server refused it before it looked up the id.
  await change({ error: anError(401, 'unauthenticated') })
  await reopen()
  await send(2)
  expect(asked[1]).toEqual(asked[0])
  await change({ error: anError(409, 'advance_id_used') })
  await reopen()
  expect(field('amount').value).toBe('')
  await type(field('amount'), '30.00')
  await send(3)
  expect(asked[2]!.advance_id).not.toBe(asked[0]!.advance_id)
  // It was recorded, so the dialog records another advance when it opens again.
  await change({ error: LOST })
  await change({ error: null, saving: true })
  await change({ saving: false })
  await reopen()
  expect(field('amount').value).toBe('')
})

test('a payment starts with the amount due, and a lost payment that is in the list now is not sent again', async () => {
  const asked: { payment_id: string, amount: string }[] = []
  const invoice = { id: ID, currency: 'EUR', due: '121.00', payments: [] as { id: string }[] }
  const props = { invoice, saving: false, error: null as unknown, open: false }
  const { change } = await draw(PaymentDialog, { props: { ...props, onRecord: (body: never) => asked.push(body) } })
  const reopen = async (fields: object = {}) => {
    await change({ open: false })
    await change({ error: null, ...fields, open: true })
    await expect.poll(() => field('amount')).toBeTruthy()
  }
  await reopen()
  expect(field('amount').value).toBe('121.00')
  await type(field('amount'), '121.01')
  await press('Record payment')
  await expect.poll(() => said()).toContain('Enter at most €121.00, the amount due.')
  await type(field('amount'), '60.00')
  await press('Record payment')
  await expect.poll(() => asked.length).toBe(1)
  await change({ error: LOST })
  await reopen()
  expect(field('amount').value).toBe('60.00')
  await reopen({ invoice: { ...invoice, due: '61.00', payments: [{ id: asked[0]!.payment_id }] } })
  expect(field('amount').value).toBe('61.00')
  await press('Record payment')
  await expect.poll(() => asked.length).toBe(2)
  expect(asked[1]!.payment_id).not.toBe(asked[0]!.payment_id)
})
