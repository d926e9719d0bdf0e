import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  ACCEPTANCE,
  aSentBudget,
  aVerifiedPatient,
  BUDGETS,
  eventually,
  type SentBudget
} from '../../support/builders.ts'
import type { Caller } from '../../support/caller.ts'
import { claimNotice, releaseNotice, renewNotice } from '../../../layers/budget/server/db/notices.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { loadDocuments } from '../../support/documents/load-documents.ts'
import { aMailbox, type Mailbox } from '../../support/outside/mailbox.ts'
import { sealAgain } from '../../support/documents/seals.ts'

let instance: Instance
let mailbox: Mailbox
let staff: Caller
let author: string

beforeAll(async () => {
  await loadDocuments()
  mailbox = await aMailbox()
  instance = await anInstance({ env: { SVC_SMTP_URL: mailbox.url } })
  staff = await instance.as('admin')
  author = (await staff.get('/me')).body.data.user.email
  await staff.patch('/api/v1/clinic', { email: 'desk@clinic.test' })
})
afterEach(async () => {
  mailbox.answer = () => undefined
  await staff.patch('/api/v1/clinic', { notify_decisions: true, locale: 'es' })
})
afterAll(async () => {
  await instance.close()
  await mailbox.close()
})

const accept = async (budget: SentBudget) =>
  (await aVerifiedPatient(instance, budget)).post(`${budget.base}/accept`, ACCEPTANCE)
const reject = async (budget: SentBudget) =>
  (await aVerifiedPatient(instance, budget)).post(`${budget.base}/reject`, {
    reason: 'Demasiado caro',
    reason_code: 'price'
  })
const about = ({ id }: SentBudget) => mailbox.with(`${instance.url}/budgets/${id}`)
const isTold = async ({ id }: SentBudget) =>
  (await instance.sql`select from budget_notice where budget_id = ${id} and done_at is not null`).length === 1

function notify({ id }: SentBudget) {
  const { definition, ctx } = instance.runtime.host.registry.get('budget')!
  return definition.jobs!['notify-decision']!.run({ clinic_id: instance.clinic.id, id }, ctx, { attempt: 1 })
}

describe('a decision by link', () => {
  test.each([
    ['accepted', accept, /^El presupuesto PRES-\d{4}-\d{4} ha sido aceptado$/],
    ['rejected', reject, /^El presupuesto PRES-\d{4}-\d{4} ha sido rechazado$/]
  ] as const)(
    'that is %s is mailed to the author of the budget, with only its number and a link',
    async (_, decide, subject) => {
      const budget = await aSentBudget(instance)
      await decide(budget)
      const letter = await eventually(async () => about(budget)[0], 'the letter')
      expect([letter.to, letter.subject]).toEqual([author, expect.stringMatching(subject)])
      expect(letter.text).toContain(budget.number)
      for (const part of [letter.subject, letter.text, letter.html]) {
        expect(part.replaceAll(budget.id, '')).not.toMatch(/Luc[ií]a|Mu[ñn]oz|121[.,]00|caro|Empaste|€/)
        expect(part).not.toContain(budget.token)
        expect(part).not.toContain(budget.code)
      }
    }
  )

  test('is mailed once, even if the job runs often and in several processes', async () => {
    const budget = await aSentBudget(instance)
    await accept(budget)
    await eventually(() => isTold(budget), 'the letter')
    await Promise.all(Array.from({ length: 5 }, () => notify(budget)))
    await instance.sql`update budget_notice set done_at = null, claimed_at = null where budget_id = ${budget.id}`
    const runs = await Promise.allSettled(Array.from({ length: 8 }, () => notify(budget)))
    expect(runs.filter(run => run.status === 'fulfilled').length).toBeGreaterThan(0)
    expect(about(budget)).toHaveLength(2)
    expect(new Set(about(budget).map(letter => letter.id)).size).toBe(1)
  })

  test('is mailed by another process half a minute after the first process vanished, and not before', async () => {
    const budget = await aSentBudget(instance)
    await accept(budget)
    await eventually(() => isTold(budget), 'the letter')
    const vanished = (seconds: number) =>
      instance.sql`update budget_notice set done_at = null, claimed_at = now() - ${seconds}::int * interval '1 second' where budget_id = ${budget.id}`
    await vanished(20)
    await expect(notify(budget)).rejects.toMatchObject({ code: 'busy', fields: { retry_after: 10 } })
    await vanished(31)
    await notify(budget)
    expect(await isTold(budget)).toBe(true)
    expect(about(budget)).toHaveLength(2)
  })

  test('is claimed by one process: a process whose claim has expired neither renews nor releases it', async () => {
    const budget = await aSentBudget(instance)
    await accept(budget)
    await eventually(() => isTold(budget), 'the letter')
    const { db } = instance.runtime.host
    const claimedAt = async () =>
      (await instance.sql`select claimed_at::text as at from budget_notice where budget_id = ${budget.id}`)[0]!.at
    await instance.sql`update budget_notice set done_at = null, claimed_at = null where budget_id = ${budget.id}`
    const first = (await claimNotice(db, budget.id))!
    await instance.sql`update budget_notice set claimed_at = now() - interval '31 seconds' where budget_id = ${budget.id}`
    const second = (await claimNotice(db, budget.id))!
    const before = await claimedAt()
    await renewNotice(db, first)
    await releaseNotice(db, first)
    expect(await claimedAt()).toBe(before)
    await renewNotice(db, second)
    expect(await claimedAt()).not.toBe(before)
    await releaseNotice(db, second)
    expect(await claimedAt()).toBeNull()
    await notify(budget)
  })

  test('is mailed to the clinic when the author is not an active member any more', async () => {
    const clinic = { id: instance.clinic.id }
    const budget = await aSentBudget(instance)
    const [row] = await instance.sql`select created_by from budget where id = ${budget.id}`
    await instance.sql`update core_membership set active = false where user_id = ${row!.created_by} and clinic_id = ${clinic.id}`
    await sealAgain(instance.sql, 'membership')
    await accept(budget)
    expect((await eventually(async () => about(budget)[0], 'the letter')).to).toBe('desk@clinic.test')
    await instance.sql`update core_membership set active = true where user_id = ${row!.created_by} and clinic_id = ${clinic.id}`
    await sealAgain(instance.sql, 'membership')
  })

  test('is mailed to the clinic, once, when the author\'s address is permanently refused', async () => {
    const refused: string[] = []
    mailbox.answer = (address) => {
      if (address !== author) return undefined
      refused.push(address)
      return 550
    }
    const budget = await aSentBudget(instance)
    await accept(budget)
    await eventually(() => isTold(budget), 'the letter')
    await Promise.all(Array.from({ length: 3 }, () => notify(budget)))
    expect(about(budget).map(({ to }) => to)).toEqual(['desk@clinic.test'])
    expect(refused).toHaveLength(1)
  })

  test('is not tried forever when the author\'s and the clinic\'s addresses are both refused', async () => {
    mailbox.answer = address => [author, 'desk@clinic.test'].includes(address) ? 550 : undefined
    const budget = await aSentBudget(instance)
    await accept(budget)
    await eventually(() => isTold(budget), 'the end')
    expect(about(budget)).toEqual([])
  })

  test.each([
    ['en', /was accepted$/],
    ['fr', /a été accepté$/],
    ['de', /wurde angenommen$/],
    ['pt', /foi aceite$/],
    ['ar', /^قُبل العرض/]
  ])('is mailed in the language of the clinic: %s', async (locale, subject) => {
    await staff.patch('/api/v1/clinic', { locale })
    const budget = await aSentBudget(instance)
    await accept(budget)
    const letter = await eventually(async () => about(budget)[0], 'the letter')
    expect(letter.subject).toMatch(subject)
    expect(letter.html).toContain(`<html lang="${locale}" dir="${locale === 'ar' ? 'rtl' : 'ltr'}">`)
  })

  test('waits for a mail server that is unavailable', async () => {
    mailbox.answer = address => address === author ? 451 : undefined
    const budget = await aSentBudget(instance)
    await accept(budget)
    await eventually(
      async () =>
        (
          await instance.sql`select from core_delivery where name = 'notify-decision' and payload->>'id' = ${budget.id} and attempts > 0`
        ).length === 1,
      'failure'
    )
    mailbox.answer = () => undefined
    await eventually(() => isTold(budget), 'the letter')
    expect(about(budget)).toHaveLength(1)
  })

  test('is not mailed if the clinic switched these mails off', async () => {
    expect((await staff.patch('/api/v1/clinic', { notify_decisions: false })).body.data.notify_decisions).toBe(false)
    const budget = await aSentBudget(instance)
    await accept(budget)
    await eventually(() => isTold(budget), 'the end')
    expect(about(budget)).toEqual([])
  })
})

test('a decision in the clinic is not mailed, because a member of the staff was present', async () => {
  const budget = await aSentBudget(instance)
  expect((await staff.post(`${BUDGETS}/${budget.id}/accept-in-clinic`, ACCEPTANCE)).status).toBe(200)
  expect([...await instance.sql`select from budget_notice where budget_id = ${budget.id}`]).toEqual([])
})
