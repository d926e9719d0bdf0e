import { afterAll, beforeAll, expect, test } from 'vitest'
import { aSentBudget, BUDGETS } from '../../../support/builders.ts'
import type { Caller } from '../../../support/caller.ts'
import { anInstance, type Instance } from '../../../support/instance.ts'

let instance: Instance
let staff: Caller
beforeAll(async () => {
  instance = await anInstance()
  staff = await instance.as('receptionist')
})
afterAll(() => instance.close())

const inDigits = (code: string, zero: number) =>
  code.replace(/\d/g, digit => String.fromCodePoint(zero + Number(digit)))
const arabic = (code: string) => inDigits(code, 0x0660)

test('the patient’s code opens the budget in digits of any script, with separators', async () => {
  const { base, code } = await aSentBudget(instance)
  const forms = [
    arabic(code),
    inDigits(code, 0x06F0),
    inDigits(code, 0xFF10),
    inDigits(code, 0x0966),
    ` ${code.slice(0, 3)} ${code.slice(3)} `,
    `${code.slice(0, 3)}-${code.slice(3)}`,
    `\u200F${code}\u202C`
  ]
  for (const typed of forms)
    expect((await instance.anonymous().post(`${base}/verify`, { code: typed })).status, typed).toBe(200)
})

test('a code that the staff set in Arabic digits can be entered in Latin digits', async () => {
  const { id, base } = await aSentBudget(instance)
  expect((await staff.post(`${BUDGETS}/${id}/set-public-code`, { code: '٢٤٦-٨١٠' })).status).toBe(200)
  expect((await instance.anonymous().post(`${base}/verify`, { code: '246810' })).status).toBe(200)
})

test('the digits of a hand-over can be entered in any script', async () => {
  const { id } = await aSentBudget(instance)
  const { code } = (await staff.post(`${BUDGETS}/${id}/hand-over`)).body.data
  expect((await instance.anonymous().post('/api/v1/public/sign', { code: ` ${arabic(code)} ` })).status).toBe(200)
})

test('a payment’s amount and a budget’s day can be entered in any script', async () => {
  const treatments = (await staff.get('/api/v1/catalog/treatments')).body.data
  const { id: patient_id } = (await staff.post('/api/v1/clinical/patients', { first_name: 'Ana', last_name: 'Ruiz' })).body.data
  const { status, body } = await staff.post(BUDGETS, {
    patient_id,
    valid_until: '２９９０-12-31',
    items: [{ treatment_id: treatments[0].id, quantity: 1, unit_price: '٤٥٫٥٠' }]
  })
  expect([status, body.data?.valid_until, body.data?.items[0].unit_price]).toEqual([201, '2990-12-31', '45.50'])
})
