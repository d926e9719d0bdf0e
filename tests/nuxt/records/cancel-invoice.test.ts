import { expect, test } from 'vitest'
import { CancelInvoiceDialog } from '#components'
import { draw, press, said } from '../support/screen.ts'

test('an invoice cannot be cancelled without a reason', async () => {
  const invoice = { number: null } as never
  await draw(CancelInvoiceDialog, { props: { open: true, invoice, saving: false, error: null } })
  await expect.poll(() => said()).toContain('Cancel this invoice?')
  await press('Cancel invoice')
  await expect.poll(() => said()).toContain('Fill this in.')
})
