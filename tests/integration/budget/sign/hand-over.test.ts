import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ACCEPTANCE, aDraft, aSentBudget, BUDGETS, type SentBudget } from '../../../support/builders.ts'
import type { Caller } from '../../../support/caller.ts'
import { anInstance, type Instance } from '../../../support/instance.ts'

let instance: Instance
let staff: Caller
beforeAll(async () => {
  // Behind one trusted proxy, so that a caller can choose its own address.
  instance = await anInstance({ env: { SVC_TRUSTED_PROXIES: '1' } })
  staff = await instance.as('receptionist')
})
afterAll(() => instance.close())
beforeEach(() => instance.sql`delete from core_rate_limit`)

const SIGN = '/api/v1/public/sign'
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
const show = async ({ id }: { id: string }, caller = staff) => (await caller.post(`${BUDGETS}/${id}/hand-over`)).body.data
const type = (code: string, device = instance.anonymous(), address = '203.0.113.7') =>
  device.post(SIGN, { code }, from(address))
const scan = (url: string, device = instance.anonymous()) =>
  device.post(`${SIGN}/scan`, { secret: new URL(url).hash.slice(1) })
const unknown = async (code: string) => {
  const { status, body } = await type(code)
  expect([status, body.code]).toEqual([404, 'link_not_found'])
}
const wrong = (code: string) => code.replace(/^./, digit => String((Number(digit) + 1) % 10))

/** A device that opened the budget, and its path. */
async function aTablet(budget: SentBudget) {
  const { code } = await show(budget)
  const device = instance.anonymous()
  const { status, body } = await type(code, device)
  expect(status).toBe(200)
  return { device, path: body.data.path as string }
}

test('six digits open only this budget, in the patient’s language', async () => {
  const [budget, other] = [await aSentBudget(instance), await aSentBudget(instance)]
  const { code, url, expires_at } = await show(budget)
  expect(code).toMatch(/^\d{6}$/)
  expect(new URL(url).pathname).toBe('/sign')
  expect(new URL(url).search).toBe('')
  expect(Math.round((Date.parse(expires_at) - Date.now()) / 60_000)).toBe(10)

  const device = instance.anonymous()
  const { status, body, headers } = await type(code, device)
  const { locale } = (await staff.get(`${BUDGETS}/${budget.id}`)).body.data
  expect([status, body]).toEqual([200, { data: { path: `${new URL(budget.url).pathname}?locale=${locale}` } }])
  expect(headers.get('set-cookie')).toMatch(/budget_session=[^;]+; .*Path=\/api\/v1\/public\/budgets\/.*HttpOnly/i)
  expect((await device.get(budget.base)).body.data.number).toBe(budget.number)
  expect((await device.get(other.base)).status).toBe(401)
  expect((await device.get(`${BUDGETS}/${budget.id}`)).status).toBe(401)
})

test('the address behind the QR code opens it too', async () => {
  const budget = await aSentBudget(instance)
  const { url } = await show(budget)
  const device = instance.anonymous()
  expect((await scan(url, device)).status).toBe(200)
  expect((await device.get(budget.base)).status).toBe(200)
  expect((await scan(url)).status).toBe(404)
})

test('the record has in_clinic and the member who handed it over, and the log names the patient', async () => {
  const budget = await aSentBudget(instance)
  const { device } = await aTablet(budget)
  expect((await device.post(`${budget.base}/accept`, ACCEPTANCE)).status).toBe(200)
  const { data } = (await staff.get(`${BUDGETS}/${budget.id}`)).body
  const { user } = (await staff.get('/api/v1/me')).body.data
  expect(data).toMatchObject({ status: 'accepted', accepted_via: 'in_clinic' })
  expect(data.decision.witness.id).toBe(user.id)
  expect(data.proof_faults).toEqual([])
  const log = (await staff.get(`${BUDGETS}/${budget.id}/access-log`)).body.data
  expect(log.find(({ action }: any) => action === 'accepted')).toMatchObject({ actor: 'patient', user_id: null })
  expect(log.find(({ action }: any) => action === 'verify').detail).toMatchObject({ handed_by: user.id })
})

test('a decline on the device is recorded as made in the clinic too', async () => {
  const budget = await aSentBudget(instance)
  const { device } = await aTablet(budget)
  expect((await device.post(`${budget.base}/reject`, { reason: 'Too much.' })).status).toBe(200)
  expect((await staff.get(`${BUDGETS}/${budget.id}`)).body.data.decision.via).toBe('in_clinic')
})

test('of fifty devices that enter the digits at once, one opens the budget', async () => {
  const { code } = await show(await aSentBudget(instance))
  const answers = await Promise.all(Array.from({ length: 50 }, (_, index) =>
    type(code, instance.anonymous(), `203.0.113.${index + 10}`)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
})

test('of eight devices that enter the right digits at once, none is counted as a wrong attempt', async () => {
  const { code } = await show(await aSentBudget(instance))
  const address = '203.0.113.200'
  const answers = await Promise.all(Array.from({ length: 8 }, () => type(code, instance.anonymous(), address)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404, 404, 404, 404])
  expect((await type(code, instance.anonymous(), address)).status).toBe(404) // used, but not wrong
  const { headers } = await type(wrong(code), instance.anonymous(), address)
  expect(headers.get('ratelimit')).toContain('"sign-address";r=19;')
})

test('used, replaced, expired and ended digits get the same answer as wrong ones', async () => {
  const used = await aSentBudget(instance)
  const first = await show(used)
  await type(first.code)
  await unknown(first.code)
  await unknown(wrong(first.code))

  const replaced = await aSentBudget(instance)
  const [before, after] = [await show(replaced), await show(replaced)]
  await unknown(before.code)
  expect((await type(after.code)).status).toBe(200)

  const expired = await aSentBudget(instance)
  const { code } = await show(expired)
  await instance.sql`update budget_hand_over set created_at = created_at - interval '11 minutes' where budget_id = ${expired.id}`
  await unknown(code)

  const renewed = await aSentBudget(instance)
  const shown = await show(renewed)
  await staff.post(`${BUDGETS}/${renewed.id}/resend`, { channel: 'manual', new_link: true })
  await unknown(shown.code)

  const decided = await aSentBudget(instance)
  const late = await show(decided)
  await staff.post(`${BUDGETS}/${decided.id}/accept-in-clinic`, ACCEPTANCE)
  await unknown(late.code)
})

test('a hand-over ends with the session of the member of staff who started it', async () => {
  const budget = await aSentBudget(instance)
  const colleague = await instance.as('dentist')
  const { code } = await show(budget, colleague)
  await colleague.post('/api/v1/auth/logout')
  await unknown(code)
})

test('wrong digits are limited for one address and for all, and the QR code still works', async () => {
  const budget = await aSentBudget(instance)
  const { code, url } = await show(budget)
  for (let tried = 0; tried < 20; tried++) await type(wrong(code))
  expect((await type(code)).status).toBe(429)
  const device = instance.anonymous()
  for (let tried = 0; tried < 80; tried++) await type(wrong(code), device, `198.51.100.${tried + 1}`)
  expect((await type(code, device, '192.0.2.1')).status).toBe(429)
  expect((await scan(url)).status).toBe(200)
})

test('a draft and a closed budget cannot be handed over', async () => {
  const draft = await aDraft(instance)
  expect((await staff.post(`${BUDGETS}/${draft.id}/hand-over`)).body.code).toBe('wrong_state')
  const budget = await aSentBudget(instance)
  await staff.post(`${BUDGETS}/${budget.id}/cancel`, { reason: 'No.' })
  expect((await staff.post(`${BUDGETS}/${budget.id}/hand-over`)).body.code).toBe('budget_cancelled')
})

test('a hand-over that SQL moved, or gave to another budget, opens nothing', async () => {
  const [one, other] = [await aSentBudget(instance), await aSentBudget(instance)]
  const { code } = await show(one)
  await instance.sql`update budget_hand_over set budget_id = ${other.id} where budget_id = ${one.id}`
  await unknown(code)
  const session = await aTablet(one)
  await instance.sql`update budget_session set handed_by = null where budget_id = ${one.id}`
  expect((await session.device.get(one.base)).status).toBe(401)
})
