import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ACCEPTANCE, aSentBudget, aVerifiedPatient, BUDGETS, type SentBudget } from '../../support/builders.ts'
import type { Caller } from '../../support/caller.ts'
import { anInstance, type Instance } from '../../support/instance.ts'

let instance: Instance
let staff: Caller

beforeAll(async () => {
  instance = await anInstance()
  staff = await instance.as('admin')
})
afterAll(() => instance.close())

/** What `svc modules doctor` shows under Integrity for this module. */
async function findings() {
  const { ctx, definition } = instance.runtime.host.registry.get('budget')!
  return await definition.doctor!(ctx)
}

async function aLoggedBudget(): Promise<SentBudget> {
  const budget = await aSentBudget(instance)
  const patient = await aVerifiedPatient(instance, budget)
  await patient.post(`${budget.base}/verify`, { code: '0000' })
  await patient.get(budget.base)
  await staff.post(`${BUDGETS}/${budget.id}/unlock-public`, { reason: 'Mrs Muñoz rang' })
  await patient.post(`${budget.base}/reject`, { reason: 'Too dear' })
  return budget
}

describe('the access log', () => {
  test('is listed newest first, paged, with its fields and no others', async () => {
    const budget = await aLoggedBudget()
    const { status, body } = await staff.get(`${BUDGETS}/${budget.id}/access-log?page_size=3`)
    expect([status, body.total, body.page, body.page_size]).toEqual([200, 8, 1, 3])
    expect(body.data.map((row: { action: string }) => row.action)).toEqual(['rejected', 'unlocked', 'read'])
    const second = await staff.get(`${BUDGETS}/${budget.id}/access-log?page_size=3&page=2`)
    const third = await staff.get(`${BUDGETS}/${budget.id}/access-log?page_size=3&page=3`)
    expect(
      [...second.body.data, ...third.body.data].map((row: { action: string, success: boolean }) => [
        row.action,
        row.success
      ])
    ).toEqual([
      ['viewed', true],
      ['verify', false],
      ['verify', true],
      ['link_sent', true],
      ['code_set', true]
    ])
    expect(Object.keys(body.data[0]).sort()).toEqual([
      'action',
      'actor',
      'at',
      'budget_id',
      'detail',
      'hash',
      'id',
      'ip_hash',
      'prev_hash',
      'success',
      'user_agent',
      'user_id',
      'user_name'
    ])
    expect(body.data[1]).toMatchObject({
      actor: 'staff',
      user_name: 'Rosa admin',
      detail: { failed_attempts: 1, reason: 'Mrs Muñoz rang' }
    })
    expect(body.data[0].prev_hash).toBe(body.data[1].hash)
    for (const row of body.data) expect(row.ip_hash).toMatch(/^[\w-]{43}$/)
  })

  test.each(['page=0', 'page_size=101', 'page=x', 'foo=1'])('refuses ?%s', async (query) => {
    const budget = await aSentBudget(instance)
    expect((await staff.get(`${BUDGETS}/${budget.id}/access-log?${query}`)).status).toBe(422)
  })

  test('gets the rows of one budget one after the other, even if many are written at once', async () => {
    const budget = await aSentBudget(instance)
    await Promise.all(Array.from({ length: 20 }, () => aVerifiedPatient(instance, budget)))
    const rows = await instance.sql`select seq from budget_access_log where budget_id = ${budget.id} order by seq`
    expect(rows.map(row => row.seq)).toEqual(Array.from({ length: 22 }, (_, i) => i + 1))
    expect(await findings()).toEqual([])
  })
})

describe('the doctor', () => {
  let budget: SentBudget
  beforeEach(async () => {
    budget = await aLoggedBudget()
  })

  const tampering: [what: string, change: () => Promise<unknown>, row: number][] = [
    [
      'an edited action',
      () => instance.sql`update budget_access_log set action = 'read' where budget_id = ${budget.id} and seq = 4`,
      4
    ],
    [
      'an edited instant',
      () =>
        instance.sql`update budget_access_log set at = at + interval '1 microsecond' where budget_id = ${budget.id} and seq = 2`,
      2
    ],
    [
      'an edited actor',
      () => instance.sql`update budget_access_log set actor = 'staff' where budget_id = ${budget.id} and seq = 5`,
      5
    ],
    [
      'an edited reason',
      () =>
        instance.sql`update budget_access_log set detail = jsonb_set(detail, '{reason,text}', '"none"') where budget_id = ${budget.id} and action = 'unlocked'`,
      7
    ],
    [
      'a removed reason',
      () =>
        instance.sql`update budget_access_log set detail = detail #- '{reason,text}' #- '{reason,salt}' where budget_id = ${budget.id} and action = 'unlocked'`,
      7
    ],
    ['a deleted row', () => instance.sql`delete from budget_access_log where budget_id = ${budget.id} and seq = 3`, 3],
    [
      'the newest row deleted',
      () => instance.sql`delete from budget_access_log where budget_id = ${budget.id} and seq = 8`,
      8
    ],
    ['every row deleted', () => instance.sql`delete from budget_access_log where budget_id = ${budget.id}`, 1],
    [
      'an appended row',
      () => instance.sql`
      insert into budget_access_log select gen_random_uuid(), budget_id, clinic_id, 9, at, 'verify', true, actor, user_id, ip_hash, user_agent, detail, hash, hash
      from budget_access_log where budget_id = ${budget.id} and seq = 8`,
      9
    ],
    [
      'a row deleted along with the head',
      async () => {
        await instance.sql`delete from budget_access_log where budget_id = ${budget.id} and seq = 8`
        await instance.sql`update budget set log_count = 7, log_hash = (select hash from budget_access_log where budget_id = ${budget.id} and seq = 7) where id = ${budget.id}`
      },
      7
    ],
    [
      'all rows deleted along with the head',
      async () => {
        await instance.sql`delete from budget_access_log where budget_id = ${budget.id}`
        await instance.sql`update budget set log_count = 0, log_hash = null, log_seal = null where id = ${budget.id}`
      },
      1
    ]
  ]

  test.each(tampering)('names the first invalid row of %s', async (_, change, row) => {
    const earlier = new Set((await findings()).map(({ object }) => object)) // from earlier tests
    await change()
    expect((await findings()).filter(({ object }) => !earlier.has(object))).toEqual([
      {
        code: 'log_chain_broken',
        object: `${budget.number} v1`,
        message: expect.stringMatching(new RegExp(`^Row ${row} of the access log`)),
        fix: expect.any(String)
      }
    ])
  })
})

describe('the scheduled job', () => {
  async function moveEnd(budget: SentBudget, to: string) {
    await instance.sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`
      await tx`update budget set expires_at = now() + ${to}::interval where id = ${budget.id}`
    })
  }
  const expireJob = async () => {
    const { ctx, definition } = instance.runtime.host.registry.get('budget')!
    await definition.jobs!.expire!.run({}, ctx, { attempt: 1 })
  }
  const expiredEvents = async (id: string) =>
    instance.sql`select payload from core_event where name = 'budget.expired' and payload->>'budget_id' = ${id}`

  test('expires budgets whose validity has ended, with one event, even if it runs several times at once', async () => {
    const [over, running, decided] = [
      await aSentBudget(instance),
      await aSentBudget(instance),
      await aSentBudget(instance)
    ]
    await (await aVerifiedPatient(instance, decided)).post(`${decided.base}/accept`, ACCEPTANCE)
    await moveEnd(over, '-1 second')
    await moveEnd(running, '1 hour')
    await moveEnd(decided, '-1 day')
    await Promise.all([expireJob(), expireJob(), expireJob()])
    await expireJob()
    const [row]
      = await instance.sql`select status, closed_reason, closed_at = expires_at as at_its_end from budget where id = ${over.id}`
    expect(row).toEqual({ status: 'expired', closed_reason: 'validity', at_its_end: true })
    expect((await expiredEvents(over.id)).map(event => event.payload)).toEqual([
      expect.objectContaining({ budget_number: over.number, expires_at: expect.any(String) })
    ])
    for (const { id } of [running, decided]) expect(await expiredEvents(id)).toHaveLength(0)
    const states
      = await instance.sql`select id, status from budget where id in ${instance.sql([running.id, decided.id])}`
    expect(Object.fromEntries(states.map(state => [state.id, state.status]))).toEqual({
      [running.id]: 'sent',
      [decided.id]: 'accepted'
    })
  })

  test('removes sessions that can no longer be used, and no others', async () => {
    const budget = await aSentBudget(instance)
    await aVerifiedPatient(instance, budget)
    await instance.sql`update budget_session set created_at = now() - interval '25 hours' where budget_id = ${budget.id}`
    const patient = await aVerifiedPatient(instance, budget)
    const { ctx, definition } = instance.runtime.host.registry.get('budget')!
    await definition.jobs!['remove-old-sessions']!.run({}, ctx, { attempt: 1 })
    expect(await instance.sql`select 1 from budget_session where budget_id = ${budget.id}`).toHaveLength(1)
    expect((await patient.get(budget.base)).status).toBe(200)
  })

  test('runs each minute', () => {
    expect(instance.runtime.host.registry.get('budget')!.definition.jobs!.expire!.cron).toBe('* * * * *')
  })
})
