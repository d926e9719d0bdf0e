import { expect, it } from 'vitest'
import { receiptSheet } from '../../../layers/billing/server/pdf/receipt-sheet.ts'

type Input = Parameters<typeof receiptSheet>[0]

function aSheet(fields: Partial<Input['advance']> = {}, locale = 'en') {
  const advance = {
    number: 'REC-2026-0007',
    budget_number: 'PRES-2026-0007',
    patient_first_name: 'Lucía',
    patient_last_name: 'Muñoz',
    currency: 'EUR',
    amount: 5000n,
    balance: 5000n,
    returned: 0n,
    method: 'transfer',
    reference: null,
    paid_at: new Date('2026-10-31T23:30Z'),
    issued_at: new Date('2026-11-02T10:00Z'),
    issued_on: '2026-11-02',
    ...fields
  } as Input['advance']
  return receiptSheet({ advance, locale, time_zone: 'Europe/Madrid' })
}

it('a receipt has its number, the budget, the patient, both dates, the method and the amount', () => {
  expect(aSheet({ reference: 'TR-1' })).toMatchObject({
    title: 'Receipt',
    number: 'REC-2026-0007',
    below: 'Payment in advance for budget PRES-2026-0007',
    banner: null,
    named: [['Patient', 'Lucía Muñoz'], ['Reference', 'TR-1']],
    short: [['Date of receipt', 'November 2, 2026'], ['Paid on', 'November 1, 2026']],
    rows: [['Payment in advance for budget PRES-2026-0007', 'Bank transfer', '€50.00']],
    sums: { total: ['Amount received', '€50.00'], below: [] }
  })
})

it('a receipt has the returned amount, and a mark across the page if all of it was returned', () => {
  const part = aSheet({ balance: 4000n, returned: 1000n })
  expect([part.sums.below, part.banner]).toEqual([[['Returned', '€10.00']], null])
  expect(part.sums.remark).toBe('What was not returned is deducted from the invoice of this budget.')
  expect(aSheet().sums.remark).toBe('The amount is deducted from the invoice of this budget.')
  const whole = aSheet({ balance: 0n, returned: 5000n })
  expect([whole.banner, whole.sums.remark]).toEqual([expect.stringMatching(/^RETURNED/), null])
})

it('a receipt has its own words in each of the six languages', () => {
  const words = ['en', 'es', 'fr', 'de', 'pt', 'ar'].map(locale => aSheet({}, locale).sums.total[0])
  expect(new Set(words).size).toBe(6)
})
