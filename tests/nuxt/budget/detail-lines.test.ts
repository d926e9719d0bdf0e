import { expect, test } from 'vitest'
import { DetailLines } from '#components'
import { draw, said } from '../support/screen.ts'

const budget = {
  currency: 'EUR',
  status: 'sent',
  items: [],
  choices: [],
  selection: null,
  price_from: '270.00',
  price_to: '420.00',
  totals: { original: '300.00', discount: '30.00', total: '270.00', tax: '0.00' },
  global_discount: { type: 'amount', value: '30.00' }
}

test('the discount on the total is shown for an offer too, whose line prices do not include it', async () => {
  await draw(DetailLines, { props: { budget } })
  expect(said()).toMatch(/Discount on the total−€30\.00.*from €270\.00 to €420\.00/)
  expect(said()).not.toContain('€300.00')
})

test('the discount on the total is between original price and all discounts after the patient has chosen', async () => {
  const chosen = { ...budget, status: 'accepted', selection: {} }
  await draw(DetailLines, { props: { budget: chosen } })
  expect(said()).toMatch(/€300\.00Discount on the total−€30\.00All discounts.€30\.00Total€270\.00/)
})
