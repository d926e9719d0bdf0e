import { afterAll, beforeAll, expect, test } from 'vitest'
import { release, renewLease, type Claimed } from '../../../server/core/webhooks/queue.ts'
import { aSentBudget, aVerifiedPatient, BUDGETS } from '../../support/builders.ts'
import { createCaller } from '../../support/caller.ts'
import { documentsOf } from '../../support/documents/documents.ts'
import { anInstance, type Instance } from '../../support/instance.ts'

let instance: Instance
beforeAll(async () => {
  instance = await anInstance()
})
afterAll(() => instance.close())

/** Does `run` while another transaction has locked all rows of the tables, like a commit that waits for a standby. */
const whileLocked = <T>(tables: string[], run: () => Promise<T>): Promise<T> =>
  instance.sql.begin(async (tx) => {
    for (const table of tables) await tx`select from ${tx(table)} for update`
    return await run()
  }) as Promise<T>

test('a read does not wait for the row of its session or token, and does not record the last use then', async () => {
  const budget = await aSentBudget(instance)
  const patient = await aVerifiedPatient(instance, budget)
  const staff = await instance.as('receptionist')
  const made = await (await instance.as('admin')).post('/api/v1/tokens', { name: 'Kiosk', scopes: ['budget.read'] })
  const program = createCaller(instance.url, { bearer: made.body.data.token })
  const read = async () => {
    const answers = [patient.get(budget.base), staff.get(`${BUDGETS}/${budget.id}`), program.get(BUDGETS)]
    return (await Promise.all(answers)).map(({ status }) => status)
  }
  const lastUse = async () => {
    const [row] = await instance.sql`
      select (select max(last_used_at) from core_session), (select max(last_used_at) from budget_session) as patients,
        (select max(last_used_at) from core_clinic_token) as programs`
    return row
  }
  expect(await read()).toEqual([200, 200, 200])
  await instance.sql`update core_session set last_used_at = now() - interval '2 minutes'`
  await instance.sql`update budget_session set last_used_at = now() - interval '2 minutes'`
  await instance.sql`update core_clinic_token set last_used_at = now() - interval '2 minutes'`
  const before = await lastUse()
  expect(await whileLocked(['core_session', 'budget_session', 'core_clinic_token'], read)).toEqual([200, 200, 200])
  expect(await lastUse()).toEqual(before)
  expect(await read()).toEqual([200, 200, 200])
  const after = await lastUse()
  for (const [name, at] of Object.entries(before!)) expect(after![name].getTime()).toBeGreaterThan(at.getTime())
})

test('a code and a download whose row stays locked are 503 busy, and release their connections', async () => {
  const { anAcceptedBudget } = await documentsOf(instance)
  const { budget, patient } = await anAcceptedBudget()
  const other = await aSentBudget(instance)
  const answers = await whileLocked(['budget', 'budget_link'], () => Promise.all([
    patient.get(`${budget.base}/pdf/signed`),
    instance.anonymous().post(`${other.base}/verify`, { code: other.code })
  ]))
  expect(answers.map(({ status, body }) => [status, body.code])).toEqual([[503, 'busy'], [503, 'busy']])
  expect(Number(answers[0].headers.get('retry-after'))).toBeGreaterThan(0)
})

test('a webhook delivery whose row is locked is neither renewed nor released, without waiting', async () => {
  const { sql, clinic, runtime: { host: { db } } } = instance
  const [delivery] = await sql<{ id: string, claim: string }[]>`
    with event as (insert into core_event (name, payload) values ('budget.tested', '{}') returning id),
      webhook as (
        insert into core_webhook (clinic_id, url, events, secret)
        values (${clinic.id}, 'https://x.test', '{budget.tested}', 'sealed') returning id)
    insert into core_webhook_delivery (webhook_id, event_id, next_attempt_at, claim)
    select webhook.id, event.id, now() + interval '1 hour', gen_random_uuid() from webhook, event
    returning id, claim::text`
  const claimed = { ...delivery, failures: 0 } as Claimed
  const dueIn = async () => {
    const [row] = await sql`
      select extract(epoch from next_attempt_at - now())::float8 as seconds from core_webhook_delivery where id = ${claimed.id}`
    return row!.seconds as number
  }
  await whileLocked(['core_webhook_delivery'], async () => {
    expect(await renewLease(db, claimed)).toBeNull()
    await release(db, claimed)
  })
  expect(await dueIn()).toBeGreaterThan(3000)
  expect(await renewLease(db, claimed)).toMatchObject({ url: 'https://x.test' })
  expect(await dueIn()).toBeLessThan(21)
  await release(db, claimed)
  expect(await dueIn()).toBeLessThanOrEqual(0)
})
