import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHECKS } from '../../../server/core/check-names.ts'
import type { Health } from '../../../server/core/observe/health.ts'
import { ACCEPTANCE, aSentBudget, aVerifiedPatient, BUDGETS } from '../../support/builders.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { aPostgresPair, type PostgresPair } from '../../support/database/postgres-pair.ts'
import { aReceiver } from '../../support/outside/receiver.ts'
import { WEBHOOKS } from '../../support/webhooks.ts'
import { aTcpProxy, type TcpProxy } from '../../support/database/tcp-proxy.ts'

const loopback = (port: number) => ({ host: '127.0.0.1', port })
const failing = (health: Health) =>
  health.status === 'degraded' ? CHECKS.filter(name => health.checks[name].status === 'failing') : []

describe('with one database', () => {
  let instance: Instance
  beforeAll(async () => {
    instance = await anInstance()
  })
  afterAll(() => instance?.close())

  const diagnosis = async () => (await (await instance.asInstanceAdmin()).get('/api/v1/modules/-/doctor')).body.data
  const metrics = async () => (await (await instance.asInstanceAdmin()).get('/metrics')).bytes.toString()

  test('health returns two keys if everything works', async () => {
    await expect.poll(() => instance.runtime.health()).toEqual({ status: 'healthy', version: instance.runtime.host.version })
  })

  test.each([
    ['53100', 'database_full'], ['53200', 'database_overloaded'], ['53400', 'database_overloaded'],
    ['57P01', 'database_unavailable'], ['57P02', 'database_unavailable'], ['57P04', 'database_unavailable']
  ])('a write that the database refuses with %s is 503 %s with Retry-After, and health reports what is missing', async (state, code) => {
    await instance.sql.unsafe(`create or replace function refuse() returns trigger language plpgsql as $$
      begin raise exception 'refused' using errcode = '${state}'; end $$;
      create or replace trigger refuse before insert on clinical_patient for each row execute function refuse()`)
    const staff = await instance.as('receptionist')
    const answer = await staff.post('/api/v1/clinical/patients', { first_name: 'Ana', last_name: 'Ruiz' })
    expect(answer).toMatchObject({ status: 503, body: { code } })
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    await instance.sql`drop trigger refuse on clinical_patient`
    if (code === 'database_unavailable') return
    await expect.poll(async () => failing(await instance.runtime.health())).toContain('database')
    expect(await metrics()).toMatch(/^svc_database_full_seconds \d/m)
    instance.runtime.host.troubles.database.clear()
  })

  test('health reports the document store at the first document that it refuses, until it works again', async () => {
    const folder = join(instance.storage, 'documents')
    await expect.poll(async () => (await instance.runtime.health()).status).toBe('healthy')
    renameSync(folder, `${folder}-away`)
    writeFileSync(folder, 'no folder')
    const budget = await aSentBudget(instance)
    const patient = await aVerifiedPatient(instance, budget)
    expect((await patient.post(`${budget.base}/accept`, ACCEPTANCE)).status).toBe(200)
    await expect.poll(async () => failing(await instance.runtime.health())).toEqual(['documents'])
    rmSync(folder)
    renameSync(`${folder}-away`, folder)
    await expect.poll(async () => (await instance.runtime.health()).status, { timeout: 30_000 }).toBe('healthy')
  })

  test('health reports a store that hangs, even before any request to it fails', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>()
    void instance.runtime.host.troubles.documents.watch(promise)
    await expect.poll(async () => failing(await instance.runtime.health())).toEqual(['documents'])
    resolve(undefined)
    await expect.poll(async () => (await instance.runtime.health()).status).toBe('healthy')
  })

  test('health, metrics and the doctor report a delivery that is due and that no worker handles', async () => {
    instance.runtime.drain()
    await instance.sql`insert into core_delivery (module_name, kind, name, line, next_attempt_at)
      values ('budget', 'job', 'forgotten', 'job:forgotten', now() - interval '10 minutes')`
    await expect.poll(async () => failing(await instance.runtime.health())).toContain('deliveries')
    expect(await metrics()).toMatch(/^svc_outbox_due_seconds 6\d\d(?:\.|$)/m)
    const { ok, integrity } = await diagnosis()
    expect(ok).toBe(false)
    expect(integrity).toContainEqual(expect.objectContaining({
      code: 'delivery_late', object: 'budget: job forgotten', fix: expect.stringContaining('svc modules restart')
    }))
  })

  test('health reports workers that look for no jobs', async () => {
    instance.runtime.drain()
    await expect.poll(async () => failing(await instance.runtime.health())).toContain('workers')
    expect(await metrics()).toMatch(/^svc_worker_idle_seconds \d+/m)
  })
})

describe('with a primary and its standby', () => {
  let pair: PostgresPair
  let proxy: TcpProxy
  let instance: Instance
  beforeAll(async () => {
    pair = await aPostgresPair()
    proxy = await aTcpProxy(loopback(pair.primary.port))
    await pair.primary.ask('create database svc')
    instance = await anInstance({ database_url: `postgres://postgres@127.0.0.1:${proxy.port}/svc`, env: { SVC_WEBHOOK_ALLOW_PRIVATE: 'true' } })
  })
  afterAll(async () => {
    await pair?.standby.start().catch(() => {})
    await instance?.close()
    await proxy?.close()
    await pair?.close()
  })

  /**
   * A delivery that commits after the standby was stopped would lock the rows of its budget until the standby is back.
   */
  const delivered = () =>
    expect.poll(async () => (await instance.sql`select 1 from core_delivery where status = 'pending'`).length).toBe(0)

  /** More than the connections that an instance has for waiting requests. */
  const DECISIONS = 12

  test('while a standby is unavailable, requests without durable writes are answered, decisions are 503 after ten seconds, and none is lost or repeated', async () => {
    const visits = await Promise.all(Array.from({ length: DECISIONS }, async () => {
      const budget = await aSentBudget(instance)
      return { budget, patient: await aVerifiedPatient(instance, budget) }
    }))
    const [{ budget, patient }] = visits as [typeof visits[0]]
    const other = await aSentBudget(instance)
    const staff = await instance.as('admin')
    const receiver = await aReceiver()
    const webhook = await staff.post(WEBHOOKS, { url: `${receiver.url}/viewed`, events: ['budget.viewed'] })
    expect(webhook.status).toBe(201)
    expect((await patient.get(budget.base)).status).toBe(200)
    for (const table of ['core_session', 'budget_session']) {
      await instance.sql`update ${instance.sql(table)} set last_used_at = now() - interval '5 minutes'`
    }
    await delivered()
    await pair.replicateSynchronously(true)
    await pair.standby.stop()

    const began = performance.now()
    const decisions = visits.map(async ({ budget, patient }) => {
      const answer = await patient.post(`${budget.base}/accept`, ACCEPTANCE)
      return { answer, seconds: (performance.now() - began) / 1000 }
    })
    // The first waits for the standby, and the others for the row of the clinic that it has locked.
    const waiting = () => pair.primary.ask(`
      select 1 from pg_stat_activity where application_name = 'svc:server' and (wait_event = 'SyncRep' or wait_event_type = 'Lock')`)
    await expect.poll(async () => (await waiting()).length).toBeGreaterThan(9)

    const asked = performance.now()
    expect((await staff.get('/me')).status).toBe(200)
    expect((await staff.get(BUDGETS)).status).toBe(200)
    expect((await patient.get(budget.base)).body.data.status).toBe('sent')
    expect((await instance.anonymous().get(`${budget.base}/meta`)).status).toBe(200)
    const reader = await aVerifiedPatient(instance, other)
    expect((await reader.get(other.base)).status).toBe(200) // the webhook gets its event
    expect((await reader.get(`${other.base}/pdf`)).status).toBe(200)
    expect(performance.now() - asked).toBeLessThan(9000)
    const touched = await instance.sql`select 1 from budget_session where last_used_at > now() - interval '4 minutes'`
    expect(touched.length).toBeGreaterThan(0)
    await expect.poll(async () => failing(await instance.runtime.health())).toContain('replication')

    for (const { answer, seconds } of await Promise.all(decisions)) {
      expect(answer).toMatchObject({ status: 503, body: { code: 'commits_waiting' } })
      expect(answer.headers.get('retry-after')).toBe('10')
      expect([seconds >= 10, seconds < 20]).toEqual([true, true])
    }
    expect(await instance.sql`select distinct status from budget where id <> ${other.id}`).toEqual([{ status: 'sent' }])

    await pair.standby.start()
    await expect.poll(async () => (await waiting()).length).toBe(0)
    await expect.poll(async () => (await instance.sql`select 1 from budget where status = 'accepted'`).length)
      .toBeGreaterThan(0)
    const again = await Promise.all(visits.map(({ budget, patient }) =>
      patient.post(`${budget.base}/accept`, ACCEPTANCE)
    ))
    expect(again.filter(({ status }) => ![200, 409].includes(status))).toEqual([])
    expect(await instance.sql`
      select status, count(*)::int as n, count(distinct signature.budget_id)::int as signed
      from budget left join budget_signature signature on signature.budget_id = budget.id
      where budget.id <> ${other.id} group by 1`).toEqual([{ status: 'accepted', n: DECISIONS, signed: DECISIONS }])
    await receiver.at('/viewed')
    expect((await staff.delete(`${WEBHOOKS}/${webhook.body.data.id}`)).status).toBe(204)
    await receiver.close()
    await expect.poll(async () => (await instance.runtime.health()).status).toBe('healthy')
  }, 120_000)

  test('while a standby is unavailable, the event of a first view is sent to no webhook, and it is sent once afterwards', async () => {
    const receiver = await aReceiver()
    const admin = await instance.as('admin')
    const { status } = await admin.post(WEBHOOKS, { url: `${receiver.url}/viewed`, events: ['budget.viewed'] })
    expect(status).toBe(201)
    const budget = await aSentBudget(instance)
    const patient = await aVerifiedPatient(instance, budget)
    await delivered()
    await pair.replicateSynchronously(true)
    await pair.standby.stop()
    expect((await patient.get(budget.base)).status).toBe(200)
    const { id } = (await instance.sql<{ id: string }[]>`
      select id from core_webhook_delivery where event_id in (select id from core_event where name = 'budget.viewed') limit 1`)[0]!
    const waiting = () => pair.primary.ask(`
      select 1 from pg_stat_activity where application_name = 'svc:server' and wait_event = 'SyncRep'`)
    await instance.sql`select pg_notify('svc_work', ''), set_config('synchronous_commit', 'local', false)`
    await expect.poll(async () => (await waiting()).length, { timeout: 90_000 }).toBeGreaterThan(0)
    expect(receiver.received).toEqual([])
    expect(await instance.sql`select status from core_webhook_delivery where id = ${id}`).toEqual([{ status: 'pending' }])

    await pair.standby.start()
    await receiver.at('/viewed')
    await expect.poll(async () => (await instance.sql`select status from core_webhook_delivery where id = ${id}`)[0])
      .toEqual({ status: 'delivered' })
    expect(receiver.received).toHaveLength(1)
    await receiver.close()
  }, 180_000)

  test('a proxy that leads to the read-only standby for a while leaves no stopped workers behind', async () => {
    await pair.replicateSynchronously(false)
    await pair.caughtUp()
    const visits = await Promise.all(Array.from({ length: 6 }, async () => {
      const budget = await aSentBudget(instance)
      return { budget, patient: await aVerifiedPatient(instance, budget) }
    }))
    await Promise.all(visits.map(({ budget, patient }) => patient.post(`${budget.base}/accept`, ACCEPTANCE)))
    await pair.caughtUp()
    await pair.primary.stop()
    proxy.leadTo(loopback(pair.standby.port))
    proxy.disconnect()
    await pair.standby.ask('select pg_sleep(8)') // the time that a proxy may take to notice
    await pair.promote()

    const unsealed = () => instance.sql`select 1 from budget where status = 'accepted' and signed_pdf_status <> 'ready'`
    await expect.poll(async () => (await unsealed()).length, { timeout: 60_000 }).toBe(0)
    await expect.poll(async () => (await instance.runtime.health()).status, { timeout: 30_000 }).toBe('healthy')
  }, 180_000)
})
