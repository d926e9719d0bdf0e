import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aSentBudget } from '../../../support/builders.ts'
import type { Caller } from '../../../support/caller.ts'
import { anInstance, type Instance } from '../../../support/instance.ts'
import { root } from '../../../support/modules/official.ts'
import { install } from '../../../support/modules/packages.ts'

let instance: Instance
let admin: Caller
/** The numbers of two budgets, each with a deposit of 36.30. */
let paid: string
let unpaid: string
beforeAll(async () => {
  instance = await anInstance()
  // As npm installs a package's dependency beside it.
  const modules = join(instance.storage, 'modules/node_modules')
  mkdirSync(modules, { recursive: true })
  symlinkSync(join(root, 'node_modules/zod'), join(modules, 'zod'))
  await install(instance, 'svc-module-deposits-by-hand')
  admin = await instance.as('admin')
  await admin.patch('/api/v1/clinic/settings/deposits_by_hand', { api_key: 'key-of-the-payment-provider' })
  paid = (await aSentBudget(instance)).number
  unpaid = (await aSentBudget(instance)).number
  // The payment is on 1 April in Madrid and on 31 March in UTC.
  await instance.sql`update deposits_by_hand set asked_at = '2025-02-01T12:00Z'`
  await instance.sql`update deposits_by_hand set paid_at = '2025-03-31T22:30Z' where budget_number = ${paid}`
})
afterAll(() => instance.close())

const sections = async (days: string, locale = 'en') =>
  (await admin.get(`/api/v1/reports/sections?${days}&locale=${locale}`)).body.data.sections

describe('the section of deposits in the clinic’s reports', () => {
  test('shows deposits that were requested in the period', async () => {
    expect(await sections('from=2025-02-01&to=2025-03-31')).toEqual([{
      module: 'deposits_by_hand',
      id: 'deposits',
      title: 'Deposits',
      text: 'What patients were asked for when budgets were sent, and what they have paid.',
      facts: [['Asked for', '€72.60'], ['Received', '€0.00']],
      table: {
        columns: ['Budget', 'Asked for', 'Received', 'Amount'].map(label => ({ label, end: label === 'Amount' })),
        rows: [
          [paid, 'February 1, 2025', 'April 1, 2025', '€36.30'],
          [unpaid, 'February 1, 2025', '', '€36.30']
        ],
        more_rows: 0
      }
    }])
  })

  test('shows deposits that were received in the period, by the clinic’s days, in the reader’s language', async () => {
    const [section, ...others] = await sections('from=2025-04-01&to=2025-04-01', 'es')
    expect(others).toEqual([])
    expect(section).toMatchObject({
      title: 'Anticipos',
      facts: [['Pedido', expect.stringMatching(/^0,00\s€$/)], ['Recibido', expect.stringMatching(/^36,30\s€$/)]],
      table: { rows: [[paid, '1 de febrero de 2025', '1 de abril de 2025', expect.stringMatching(/^36,30/)]] }
    })
  })

  test('is absent in a period without deposits, and in another clinic', async () => {
    expect(await sections('from=2024-01-01&to=2024-12-31')).toEqual([])
    const stranger = await instance.as('admin', await instance.anotherClinic())
    const { body } = await stranger.get('/api/v1/reports/sections?from=2025-01-01&to=2025-12-31')
    expect(body.data).toMatchObject({ sections: [], left_out: [] })
  })
})
