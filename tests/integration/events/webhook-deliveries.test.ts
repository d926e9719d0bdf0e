import type { ServerResponse } from 'node:http'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { CORE } from '../../../server/core/core-module.ts'
import { addTick } from '../../../server/core/events/publish.ts'
import { startWorker } from '../../../server/core/events/worker.ts'
import { claimNext, release, renewLease } from '../../../server/core/webhooks/queue.ts'
import { ACCEPTANCE, aSentBudget, aVerifiedPatient, eventually } from '../../support/builders.ts'
import { loadDocuments } from '../../support/documents/load-documents.ts'
import { aReceiver, verified } from '../../support/outside/receiver.ts'
import { aWebhookWorld, HELD_BACK_MS, type WebhookWorld } from '../../support/webhooks.ts'

let world: WebhookWorld
let { instance, receiver, admin, aWebhook, publish, deliveries, shown, settled, makeDue } = {} as WebhookWorld
beforeAll(async () => {
  world = await aWebhookWorld();
  ({ instance, receiver, admin, aWebhook, publish, deliveries, shown, settled, makeDue } = world)
  await loadDocuments()
})
afterEach(async () => {
  await instance.sql`delete from core_webhook`
})
afterAll(() => world.close())

describe('a delivery', () => {
  it('that failed is tried again, with the same id and body and a new timestamp', async () => {
    const webhook = await aWebhook()
    receiver.answer(webhook.path, 500, 200)
    await publish({ n: 1 })
    const failed = await settled(webhook, 'pending')
    expect(failed).toMatchObject({
      event: 'budget.tested',
      attempts: 1,
      response_status: 500,
      last_error: 'The receiver answered 500.',
      done_at: null
    })
    expect(Date.parse(failed.next_attempt_at) - HELD_BACK_MS - Date.parse(failed.attempt_log[0].at)).toBeGreaterThan(
      4000
    )
    expect(await shown(webhook)).toMatchObject({
      state: 'failing',
      last_error: 'The receiver answered 500.',
      failing_since: expect.any(String),
      active: true,
      pending: 1
    })

    await eventually(
      async () =>
        Date.now()
        > (Number(receiver.received.find(({ path }) => path === webhook.path)!.headers['webhook-timestamp']) + 1)
        * 1000,
      'the next second'
    )
    await makeDue(webhook)
    const delivered = await settled(webhook, 'delivered', 2)
    expect(delivered).toMatchObject({
      id: failed.id,
      attempts: 2,
      response_status: 200,
      last_error: null,
      next_attempt_at: null,
      done_at: expect.any(String)
    })
    expect(
      delivered.attempt_log.map((attempt: any) => [attempt.response_status, attempt.response_body, attempt.error])
    ).toEqual([
      [200, 'it says 200', null],
      [500, 'it says 500', 'The receiver answered 500.']
    ])
    expect(await shown(webhook)).toMatchObject({
      state: 'ok',
      failing_since: null,
      last_error: null,
      last_success_at: expect.any(String),
      pending: 0
    })

    const [first, second] = await receiver.at(webhook.path, 2)
    expect([second!.headers['webhook-id'], second!.body]).toEqual([first!.headers['webhook-id'], first!.body])
    expect(Number(second!.headers['webhook-timestamp'])).toBeGreaterThan(Number(first!.headers['webhook-timestamp']))
    for (const request of [first!, second!]) verified(webhook.secret, request)
  })

  it('belongs for twenty seconds to the process that sends it, which renews this while the receiver keeps it waiting', async () => {
    const webhook = await aWebhook()
    const { promise: end, resolve } = Promise.withResolvers<undefined>()
    receiver.answer(webhook.path, response => void end.then(() => response.writeHead(204).end()))
    await publish()
    await receiver.at(webhook.path)
    const lease = async () => {
      const [row] = await instance.sql<{ ends: string, seconds: number }[]>`
        select next_attempt_at::text as ends, extract(epoch from next_attempt_at - clock_timestamp())::float8 as seconds
        from core_webhook_delivery where webhook_id = ${webhook.id}`
      return row!
    }
    const first = await lease()
    expect(first.seconds).toBeLessThanOrEqual(20)
    await expect.poll(async () => (await lease()).ends > first.ends).toBe(true)
    resolve(undefined)
    await settled(webhook, 'delivered')
    expect(await receiver.at(webhook.path)).toHaveLength(1)
  })

  it('that another process took over is neither released nor renewed by the process whose lease expired', async () => {
    const { id } = await aWebhook()
    const { db, events } = instance.runtime.host
    await db.transaction(async (tx) => { // before it commits, the instance's own sender sees nothing of it
      await events.publish(tx, 'budget.tested', { clinic_id: instance.clinic.id })
      const late = (await claimNext(tx, id))!
      await tx.execute(sql`update core_webhook_delivery set next_attempt_at = now() where webhook_id = ${id}::uuid`)
      const owner = (await claimNext(tx, id))!
      expect(owner.id).toBe(late.id)
      expect(await renewLease(tx, late)).toBeNull()
      await release(tx, late)
      expect(await claimNext(tx, id)).toBeNull()
      expect(await renewLease(tx, owner)).not.toBeNull()
      await release(tx, owner)
      expect(await claimNext(tx, id)).toMatchObject({ id: owner.id })
    })
  })

  it('of a process that vanished is repeated by another process when its lease ends, without any notification', async () => {
    const webhook = await aWebhook()
    await publish()
    await settled(webhook, 'delivered')
    await instance.sql`update core_webhook_delivery set status = 'pending', done_at = null, next_attempt_at = now()
      where webhook_id = ${webhook.id}`
    await receiver.at(webhook.path, 2)
  })

  it('is marked as failed after eight attempts, stays visible, and can be replayed with the same id', async () => {
    const webhook = await aWebhook()
    receiver.answer(webhook.path, 503)
    const event_id = await publish()
    for (let attempt = 1; attempt < 8; attempt++) {
      await settled(webhook, 'pending', attempt)
      await makeDue(webhook)
    }
    const failed = await settled(webhook, 'failed', 8)
    expect(failed).toMatchObject({ event_id, attempts: 8, next_attempt_at: null, done_at: expect.any(String) })
    expect(await shown(webhook)).toMatchObject({ active: true, state: 'failing', failed: 1, pending: 0 })

    await instance.sql`update core_webhook set failing_since = now() - interval '2 hours' where id = ${webhook.id}`
    const { body: { data } } = await (await instance.asInstanceAdmin()).get('/api/v1/modules/-/doctor')
    const { integrity, advice } = data
    expect(integrity).toEqual([expect.objectContaining({ code: 'foreign_trigger' })]) // those of this file
    expect(advice).toContainEqual(
      expect.objectContaining({
        code: 'webhook_failing',
        object: webhook.id,
        message: expect.stringContaining('1 failed')
      })
    )

    receiver.answer(webhook.path, 204)
    const { status, body } = await admin.post(`${webhook.base}/replay`, { delivery_id: failed.id })
    expect([status, body.data.id, body.data.status]).toEqual([200, failed.id, 'pending'])
    expect(await settled(webhook, 'delivered', 9)).toMatchObject({ id: failed.id, attempts: 9 })
    const all = await receiver.at(webhook.path, 9)
    expect(new Set(all.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([event_id]))
  })

  it('that has failed can be resent with all other failed ones, oldest first; those that did not fail are not resent', async () => {
    const webhook = await aWebhook()
    const other = await aWebhook()
    receiver.answer(webhook.path, 500)
    const ids = []
    for (let n = 0; n < 3; n++) ids.push(await publish({ n }))
    await eventually(
      async () => (await deliveries(webhook)).data.filter((row: any) => row.attempts === 1).length === 3,
      'their first attempts'
    )
    await eventually(async () => (await deliveries(other, '?status=delivered')).total === 3, 'the other webhook')
    expect((await admin.post(`${webhook.base}/replay`, { failed: true })).body.data).toEqual({ queued: 0 })
    await instance.sql`update core_webhook_delivery set status = 'failed', failures = 8, next_attempt_at = null, done_at = now() where webhook_id in (${webhook.id}, ${other.id})`

    await admin.patch(webhook.base, { active: false })
    expect((await admin.post(`${webhook.base}/replay`, { failed: true })).body).toMatchObject({
      status: 409,
      code: 'wrong_state'
    })
    expect(await shown(webhook)).toMatchObject({ pending: 0, failed: 3 })
    await admin.patch(webhook.base, { active: true })

    receiver.answer(webhook.path, 204)
    const { status, body } = await admin.post(`${webhook.base}/replay`, { failed: true })
    expect([status, body.data]).toEqual([200, { queued: 3 }])
    await eventually(async () => (await deliveries(webhook, '?status=delivered')).total === 3, 'all of them')
    expect((await receiver.at(webhook.path, 6)).slice(3).map(({ headers }) => headers['webhook-id'])).toEqual(ids)
    expect(await shown(other)).toMatchObject({ failed: 3, pending: 0 })
    expect((await admin.post(`${webhook.base}/replay`, { failed: false })).status).toBe(422)
    expect((await admin.post(`${webhook.base}/replay`, { failed: true, delivery_id: ids[0] })).status).toBe(422)
  })

  it('of an earlier release is shown with the sentence that was stored', async () => {
    const webhook = await aWebhook()
    receiver.answer(webhook.path, 500)
    await publish()
    await settled(webhook, 'pending')
    expect(await shown(webhook)).toMatchObject({
      last_error: 'The receiver answered 500.',
      last_failure: { code: 'answered', value: '500' }
    })
    await instance.sql`update core_webhook set last_error = 'The receiver said: no.' where id = ${webhook.id}`
    await instance.sql`update core_webhook_attempt set error = 'The receiver said: no.'`
    expect(await shown(webhook)).toMatchObject({ last_error: 'The receiver said: no.', last_failure: null })
    expect((await deliveries(webhook)).data[0]).toMatchObject({
      last_error: 'The receiver said: no.',
      attempt_log: [{ error: 'The receiver said: no.', failure: null }]
    })
  })

  it('follows no redirect', async () => {
    const webhook = await aWebhook()
    receiver.answer(
      webhook.path,
      response => void response.writeHead(307, { location: `${receiver.url}/elsewhere` }).end()
    )
    await publish()
    expect(await settled(webhook, 'pending')).toMatchObject({
      response_status: 307,
      last_error: 'The receiver answered 307: redirects are not followed.'
    })
    expect(receiver.received.some(({ path }) => path === '/elsewhere')).toBe(false)
  })

  it('to a receiver that hangs delays neither other webhooks nor the product\'s own events', async () => {
    const quick = await aWebhook({ events: ['budget.accepted', 'budget.signed_pdf_ready'] })
    const budget = await aSentBudget(instance)
    const patient = await aVerifiedPatient(instance, budget)
    const hanging = await Promise.all(Array.from({ length: 6 }, () => aWebhook({ events: ['budget.hung'] })))
    const unanswered = new Set<ServerResponse>()
    for (const { path } of hanging) {
      receiver.answer(path, response => void unanswered.add(response.on('close', () => unanswered.delete(response))))
    }
    await publish({}, 'budget.hung')
    for (const { path } of hanging) await receiver.at(path)

    await patient.post(`${budget.base}/accept`, ACCEPTANCE)
    await receiver.at(quick.path)
    await eventually(
      async () => (await instance.sql`select 1 from billing_invoice where budget_id = ${budget.id}`).length > 0,
      'the draft of its invoice'
    )
    expect(unanswered.size).toBe(6)
    const requests = await receiver.at(quick.path, 2)
    expect(requests.map(({ json }) => json.type)).toEqual(['budget.accepted', 'budget.signed_pdf_ready'])
    const late = await settled(hanging[0]!, 'pending')
    expect(late).toMatchObject({ response_status: null, last_error: 'No answer within 15 s.' })
  }, 60_000)

  it('stores only the beginning of a long or unreadable response', async () => {
    const webhook = await aWebhook()
    receiver.answer(webhook.path, response => void response.writeHead(400).end(`\0ñ${'x'.repeat(100_000)}`))
    await publish()
    const { attempt_log: [attempt] } = await settled(webhook, 'pending')
    expect(attempt.response_body).toHaveLength(500)
    expect(attempt.response_body.startsWith('ñxxx')).toBe(true)
  })

  it('stores the reason if there was no response', async () => {
    const gone = await aReceiver()
    const { url } = gone
    await gone.close()
    const webhook = await aWebhook({ url: `${url}/gone` })
    await publish()
    expect(await settled(webhook, 'pending')).toMatchObject({
      response_status: null,
      last_error: expect.stringContaining('ECONNREFUSED')
    })
  })

  it('waits while its webhook is switched off, and events of that time are not sent later', async () => {
    const webhook = await aWebhook()
    receiver.answer(webhook.path, 500)
    await publish({ n: 'before' })
    const delivery = await settled(webhook, 'pending')
    expect((await admin.patch(webhook.base, { active: false })).body.data).toMatchObject({
      active: false,
      state: 'inactive',
      pending: 1
    })
    expect((await admin.post(`${webhook.base}/replay`, { delivery_id: delivery.id })).body).toMatchObject({
      status: 409,
      code: 'wrong_state'
    })
    await publish({ n: 'meanwhile' })
    receiver.answer(webhook.path, 204)
    await instance.sql`update core_webhook_delivery set next_attempt_at = now() where webhook_id = ${webhook.id}`
    await admin.patch(webhook.base, { active: true })
    await settled(webhook, 'delivered', 2)
    await publish({ n: 'after' })
    const requests = await receiver.at(webhook.path, 3)
    expect(requests.map(({ json }) => json.data.n)).toEqual(['before', 'before', 'after'])
  })

  it('that waits goes to a new URL at once', async () => {
    const webhook = await aWebhook()
    receiver.answer(webhook.path, 500)
    await publish()
    await settled(webhook, 'pending')
    const { status, body } = await admin.patch(webhook.base, { url: `${receiver.url}/moved` })
    expect([status, body.data.state, body.data.last_error]).toEqual([200, 'ok', null])
    await receiver.at('/moved')
    await settled(webhook, 'delivered', 2)
  })

  it('is not marked as failed by its last attempt if it was replayed meanwhile', async () => {
    const webhook = await aWebhook()
    const held: (() => void)[] = []
    receiver.answer(webhook.path, 500, response => void held.push(() => response.writeHead(500).end()), 204)
    await publish()
    const { id } = await settled(webhook, 'pending')
    await instance.sql`update core_webhook_delivery set failures = 7 where id = ${id}`
    await makeDue(webhook)
    await receiver.at(webhook.path, 2)
    expect((await admin.post(`${webhook.base}/replay`, { delivery_id: id })).status).toBe(200)
    held[0]!()
    expect(await settled(webhook, 'delivered', 3)).toMatchObject({ id, attempts: 3 })
  })

  it('to an earlier URL does not change the status of the webhook\'s current one', async () => {
    const webhook = await aWebhook()
    const held: (() => void)[] = []
    receiver.answer(webhook.path, 500, response => void held.push(() => response.writeHead(500).end()))
    await publish()
    const { id } = await settled(webhook, 'pending')
    await instance.sql`update core_webhook_delivery set failures = 6 where id = ${id}`
    await makeDue(webhook)
    await receiver.at(webhook.path, 2)
    await admin.patch(webhook.base, { url: `${receiver.url}/by-now` })
    held[0]!()
    expect(await settled(webhook, 'delivered', 3)).toMatchObject({ id, attempts: 3 })
    expect(await shown(webhook)).toMatchObject({ state: 'ok', last_error: null })
  })

  it('that a killed process had begun is made by the next process', async () => {
    const webhook = await aWebhook()
    await publish()
    await settled(webhook, 'delivered')
    await instance.sql`update core_webhook_delivery set status = 'pending', done_at = null, next_attempt_at = now() - interval '1 second' where webhook_id = ${webhook.id}`
    await instance.restart()
    await settled(webhook, 'delivered', 2)
  })

  it('that is running when the process must stop is aborted, not counted, and repeated by the next one', async () => {
    const webhook = await aWebhook()
    receiver.answer(webhook.path, () => {}, 204)
    await publish()
    await receiver.at(webhook.path)
    await instance.restart()
    expect(await settled(webhook, 'delivered')).toMatchObject({ attempts: 1 })
    expect((await receiver.at(webhook.path)).map(({ headers }) => headers['webhook-id'])).toHaveLength(2)
  })

  it('is made once, even with several processes', async () => {
    const webhook = await aWebhook()
    const others = [
      startWorker(instance.runtime.host, instance.runtime.heartbeat),
      startWorker(instance.runtime.host, instance.runtime.heartbeat)
    ]
    await Promise.all(Array.from({ length: 30 }, (_, n) => publish({ n })))
    await eventually(async () => (await deliveries(webhook, '?status=delivered')).total === 30, 'all of them')
    await Promise.all(others.map(worker => worker.stop()))
    const seen = (await receiver.at(webhook.path)).map(({ json }) => json.data.n)
    expect(seen.sort((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, n) => n))
  })

  it('is removed with its webhook', async () => {
    const webhook = await aWebhook()
    receiver.answer(webhook.path, 500)
    await publish()
    await settled(webhook, 'pending')
    expect((await admin.delete(webhook.base)).status).toBe(204)
    expect(await instance.sql`select 1 from core_webhook_delivery where webhook_id = ${webhook.id}`).toHaveLength(0)
  })

  it('is listed newest first, in pages, and by status', async () => {
    const webhook = await aWebhook()
    const ids = []
    for (let n = 0; n < 3; n++) ids.unshift(await publish({ n }))
    await eventually(async () => (await deliveries(webhook, '?status=delivered')).total === 3, 'three deliveries')
    const first = await deliveries(webhook, '?page_size=2')
    expect(first).toMatchObject({ total: 3, page: 1, page_size: 2 })
    const second = await deliveries(webhook, '?page_size=2&page=2')
    expect([...first.data, ...second.data].map((row: any) => row.event_id)).toEqual(ids)
    expect(await deliveries(webhook, '?status=failed')).toMatchObject({ total: 0, data: [] })
    expect((await admin.get(`${webhook.base}/deliveries?status=lost`)).status).toBe(422)
  })

  it('is removed after thirty days, and its event too if nothing else needs it', async () => {
    const webhook = await aWebhook()
    const [old, waiting] = [await publish({ n: 'old' }), await publish({ n: 'waiting' })]
    await eventually(async () => (await deliveries(webhook, '?status=delivered')).total === 2, 'both deliveries')
    await instance.sql`update core_event set occurred_at = now() - interval '31 days' where id in ${instance.sql([old, waiting])}`
    await instance.sql`update core_webhook_delivery set done_at = now() - interval '31 days' where webhook_id = ${webhook.id}`
    await admin.patch(webhook.base, { active: false })
    await instance.sql`update core_webhook_delivery set status = 'pending' where event_id = ${waiting}`
    await addTick(instance.runtime.host.db, { module: CORE, name: 'prune' })
    await eventually(
      async () => (await instance.sql`select 1 from core_event where id = ${old}`).length === 0,
      'pruning'
    )
    expect((await deliveries(webhook)).data.map((row: any) => row.event_id)).toEqual([waiting])
  })
})
