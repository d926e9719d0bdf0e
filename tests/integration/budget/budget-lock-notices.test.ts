import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aSentBudget, BUDGETS, eventually, type SentBudget } from '../../support/builders.ts'
import type { Caller } from '../../support/caller.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { aMailbox, type Mailbox } from '../../support/outside/mailbox.ts'

let instance: Instance
let mailbox: Mailbox
let staff: Caller
let author: string

beforeAll(async () => {
  mailbox = await aMailbox()
  instance = await anInstance({ env: { SVC_SMTP_URL: mailbox.url } })
  staff = await instance.as('admin')
  author = (await staff.get('/me')).body.data.user.email
})
beforeEach(async () => {
  mailbox.answer = () => undefined
  await staff.patch('/api/v1/clinic', { email: 'desk@clinic.test', locale: 'es' })
})
afterAll(async () => {
  await instance.close()
  await mailbox.close()
})

const about = ({ id }: SentBudget) => mailbox.with(`${instance.url}/budgets/${id}`)
const noJobsLeft = () =>
  eventually(
    async () =>
      (await instance.sql`select from core_delivery where name = 'notify-lock' and status = 'pending'`).length === 0,
    'the jobs'
  )

/** The fourth failure is stored and the fifth is made, which locks the link. */
async function lock(budget: SentBudget, failures = 4) {
  await instance.sql`delete from core_rate_limit`
  await instance.sql`update budget_link set failed_attempts = ${failures}, locked_until = null where budget_id = ${budget.id}`
  expect((await instance.anonymous().post(`${budget.base}/verify`, { code: '0000' })).status).toBe(423)
}

test('a lock is on the attention list, and mailed to the clinic with the budget\'s number and nothing about the patient', async () => {
  const budget = await aSentBudget(instance)
  await lock(budget)
  const letter = await eventually(async () => about(budget)[0], 'the letter')
  expect([letter.to, letter.subject]).toEqual([
    'desk@clinic.test',
    `El enlace del presupuesto ${budget.number} está bloqueado`
  ])
  expect(letter.text).toMatch(/El enlace queda bloqueado hasta el \d+ de \p{L}+ de \d{4} a las \d+:\d\d\./u)
  for (const part of [letter.subject, letter.text, letter.html]) {
    expect(part.replaceAll(budget.id, '')).not.toMatch(/Luc[ií]a|Mu[ñn]oz|121[.,]00|Empaste|€/)
    expect(part).not.toContain(budget.token)
    expect(part).not.toContain(budget.code)
  }
  const { locked } = (await staff.get('/api/v1/budget/attention')).body.data
  expect(locked.budgets.map(({ id }: { id: string }) => id)).toContain(budget.id)
})

test('each lock is mailed once, and at most three a day for one budget', async () => {
  const budget = await aSentBudget(instance)
  for (const failures of [4, 9, 14, 19, 24]) await lock(budget, failures)
  await noJobsLeft()
  expect(about(budget)).toHaveLength(3)
  expect(new Set(about(budget).map(({ id }) => id)).size).toBe(3)
  const other = await aSentBudget(instance)
  await lock(other)
  await eventually(async () => about(other)[0], 'the letter about another budget')
})

test('unlocking does not allow more mails a day', async () => {
  const budget = await aSentBudget(instance)
  for (let i = 0; i < 4; i++) {
    await lock(budget)
    await staff.post(`${BUDGETS}/${budget.id}/unlock-public`)
  }
  await noJobsLeft()
  expect(about(budget)).toHaveLength(3)
})

test('the author gets the message if the clinic has no address, or if its address is refused', async () => {
  const [refused, none] = [await aSentBudget(instance), await aSentBudget(instance)]
  mailbox.answer = address => address === 'desk@clinic.test' ? 550 : undefined
  await lock(refused)
  expect((await eventually(async () => about(refused)[0], 'the letter')).to).toBe(author)
  await staff.patch('/api/v1/clinic', { email: null })
  await lock(none)
  expect((await eventually(async () => about(none)[0], 'the letter')).to).toBe(author)
})

test.each([
  ['en', /^The link of budget .* is locked$/],
  ['fr', /est bloqué$/],
  ['de', /ist gesperrt$/],
  ['pt', /está bloqueado$/],
  ['ar', /مقفل$/]
])('the message is in the language of the clinic: %s', async (locale, subject) => {
  await staff.patch('/api/v1/clinic', { locale })
  const budget = await aSentBudget(instance)
  await lock(budget)
  const letter = await eventually(async () => about(budget)[0], 'the letter')
  expect(letter.subject).toMatch(subject)
  expect(letter.html).toContain(`<html lang="${locale}" dir="${locale === 'ar' ? 'rtl' : 'ltr'}">`)
})
