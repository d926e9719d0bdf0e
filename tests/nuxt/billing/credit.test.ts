import { beforeEach, expect, test } from 'vitest'
import { CreditDialog } from '#components'
import { forgetSession, signIn } from '../support/api.ts'
import { draw, one, press, said, type } from '../support/screen.ts'

const [CROWN, FILLING] = ['0197c6a0-0000-7000-8000-0000000000a1', '0197c6a0-0000-7000-8000-0000000000a2']
const invoice = {
  currency: 'EUR',
  locale: 'en',
  items: [
    { id: CROWN, name: { en: 'Crown' }, left: '100.00' },
    { id: FILLING, name: { en: 'Filling' }, left: '50.00' },
    { id: 'c', name: { en: 'Cleaning' }, left: '0.00' }
  ]
} as never

beforeEach(async () => {
  forgetSession()
  await signIn({ permissions: ['billing.read', 'billing.write'] })
})

async function aDialog() {
  const asked: unknown[] = []
  await draw(CreditDialog, {
    props: { open: true, invoice, saving: false, error: null, onCredit: (request: unknown) => asked.push(request) }
  })
  await expect.poll(() => said()).toContain('Credit this invoice?')
  return asked
}
const field = (name: string) => one<HTMLInputElement>(`[name="${name}"]`)

test('a credit note is of all that is left, unless lines or amounts are changed', async () => {
  const asked = await aDialog()
  expect(said()).toMatch(/Crown.*At most €100\.00.*Filling.*At most €50\.00/s)
  expect(said()).not.toContain('Cleaning')
  await type(field('reason'), 'Not done.')
  await press('Credit')
  await expect.poll(() => asked).toEqual([{ reason: 'Not done.' }])
})

test('a changed amount is sent for its line, and more than is left is refused at its field', async () => {
  const asked = await aDialog()
  await type(field('reason'), 'Not done.')
  await type(field('rows.0.amount'), '100.01')
  await press('Credit')
  await expect.poll(() => said()).toContain('Enter at most €100.00, which is still left.')
  await type(field('rows.0.amount'), '60')
  await press('Credit')
  await expect.poll(() => asked).toEqual([
    { reason: 'Not done.', items: [{ item_id: CROWN, amount: '60.00' }, { item_id: FILLING }] }
  ])
})

test('a credit note needs a reason', async () => {
  const asked = await aDialog()
  await press('Credit')
  await expect.poll(() => said()).toContain('Fill this in.')
  expect(asked).toEqual([])
})
