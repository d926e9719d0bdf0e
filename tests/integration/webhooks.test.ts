import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ACCEPTANCE, aSentBudget, aVerifiedPatient, eventually } from '../support/builders.ts'
import type { Caller } from '../support/caller.ts'
import { anInstance, type Instance } from '../support/instance.ts'
import { aReceiver, verified, type Receiver } from '../support/receiver.ts'

const WEBHOOKS = '/api/v1/webhooks'
const UNKNOWN = '00000000-0000-4000-8000-000000000009'

let instance: Instance
let receiver: Receiver
let admin: Caller
beforeAll(async () => {
  receiver = await aReceiver()
  instance = await anInstance({ env: { SVC_WEBHOOK_ALLOW_PRIVATE: 'true' } })
  admin = await instance.as('admin')
})
afterEach(async () => {
  await instance.sql`delete from core_webhook`
})
afterAll(async () => {
  await instance.close()
  await receiver.close()
})

let paths = 0
/** A webhook to a path of its own on the receiver; no event of the product reaches it unless asked for. */
async function aWebhook(fields: Record<string, unknown> = {}, by = admin) {
  const path = `/hook-${++paths}`
  const { status, body } = await by.post(WEBHOOKS, { url: receiver.url + path, events: ['budget.tested'], ...fields })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return { ...body.data, path, base: `${WEBHOOKS}/${body.data.id}` }
}
type Made = Awaited<ReturnType<typeof aWebhook>>

/** An event that only the webhooks of this file listen to. */
const publish = (fields: Record<string, unknown> = {}, name = 'budget.tested', clinic = instance.clinic) => {
  const { db, events } = instance.runtime.services
  return db.transaction(tx => events.publish(tx, name, { clinic_id: clinic.id, ...fields }))
}
const deliveries = async (webhook: Made, query = '') => (await admin.get(`${webhook.base}/deliveries${query}`)).body
const shown = async (webhook: Made) => (await admin.get(webhook.base)).body.data
/** The newest delivery, once it has the status. */
const settled = (webhook: Made, status: string, attempts = 1) => eventually(async () => {
  const [newest] = (await deliveries(webhook)).data
  return newest?.status === status && newest.attempts >= attempts && newest
}, `${status} after ${attempts}`)
/** As if the pause were over: the same sweep that runs each minute finds it. */
const makeDue = async (webhook: Made) => {
  await instance.sql`update core_webhook_delivery set next_attempt_at = now() where webhook_id = ${webhook.id} and status = 'pending'`
  await instance.sql`select graphile_worker.add_job('sweep')`
}

describe('a webhook', () => {
  it('is created with a secret that is shown once and kept sealed', async () => {
    const { status, body } = await admin.post(WEBHOOKS, { url: `${receiver.url}/created`, events: ['budget.accepted', 'budget.rejected'] })
    expect(status).toBe(201)
    const { secret, ...rest } = body.data
    expect(secret).toMatch(/^whsec_/)
    expect(rest).toEqual({
      id: expect.any(String), url: `${receiver.url}/created`, events: ['budget.accepted', 'budget.rejected'], include_reason: false, active: true,
      state: 'ok', failing_since: null, last_error: null, last_success_at: null, pending: 0, failed: 0, created_at: expect.stringMatching(/Z$/)
    })
    expect((await admin.get(`${WEBHOOKS}/${rest.id}`)).body.data).toEqual(rest)
    expect((await admin.get(WEBHOOKS)).body.data).toContainEqual(rest)
    const [row] = await instance.sql`select to_jsonb(core_webhook) as row from core_webhook where id = ${rest.id}`
    expect(JSON.stringify(row)).not.toContain(secret.slice('whsec_'.length))
    expect((await admin.delete(`${WEBHOOKS}/${rest.id}`)).status).toBe(204)
    expect((await admin.get(`${WEBHOOKS}/${rest.id}`)).status).toBe(404)
  })

  it.each([
    [{ url: 'ftp://hooks.example/' }, '/url'],
    [{ url: 'not an address' }, '/url'],
    [{ url: 'https://user:pass@hooks.example/' }, '/url'],
    [{ url: `https://no-such-host.invalid/` }, '/url'],
    [{ events: [] }, '/events'],
    [{ events: ['*', 'budget.sent'] }, '/events'],
    [{ events: ['budget.sent', 'bugdet.accepted'] }, '/events/1'],
    [{ events: ['accepted'] }, '/events'],
    [{ secret: 'whsec_mine' }, '/secret'],
    [{ active: 'yes' }, '/active']
  ])('with %j is refused at %s', async (fields, pointer) => {
    const { status, body } = await admin.post(WEBHOOKS, { url: `${receiver.url}/x`, events: ['*'], ...fields })
    expect(status).toBe(422)
    expect(body.errors.map((error: any) => error.pointer.slice(0, pointer.length))).toContain(pointer)
  })

  it('belongs to administrators: others are told which permission they miss', async () => {
    const webhook = await aWebhook()
    for (const role of ['dentist', 'hygienist', 'assistant', 'receptionist'] as const) {
      const caller = await instance.as(role)
      const answers = [
        caller.get(WEBHOOKS), caller.post(WEBHOOKS, { url: receiver.url, events: ['*'] }), caller.get(webhook.base), caller.patch(webhook.base, { active: false }),
        caller.delete(webhook.base), caller.get(`${webhook.base}/deliveries`), caller.post(`${webhook.base}/replay`, { delivery_id: UNKNOWN })
      ]
      for (const { status, body } of await Promise.all(answers)) expect([status, body.detail]).toEqual([403, 'Permission denied: webhooks.manage'])
    }
    expect((await instance.anonymous().get(WEBHOOKS)).status).toBe(401)
  })

  it('belongs to its clinic: another one neither sees nor changes it, nor gets its events', async () => {
    const elsewhere = await instance.anotherClinic()
    const stranger = await instance.as('admin', elsewhere)
    const [ours, theirs] = [await aWebhook(), await aWebhook({}, stranger)]
    await publish({ of: 'ours' })
    await publish({ of: 'theirs' }, 'budget.tested', elsewhere)
    const [own] = await receiver.at(ours.path)
    const [other] = await receiver.at(theirs.path)
    expect([own!.json.data.of, other!.json.data.of]).toEqual(['ours', 'theirs'])
    const delivery = await settled(ours, 'delivered')

    expect((await stranger.get(WEBHOOKS)).body.data.map((row: any) => row.id)).toEqual([theirs.id])
    const answers = [
      stranger.get(ours.base), stranger.patch(ours.base, { active: false }), stranger.delete(ours.base), stranger.get(`${ours.base}/deliveries`),
      stranger.post(`${ours.base}/replay`, { delivery_id: delivery.id }), stranger.post(`${theirs.base}/replay`, { delivery_id: delivery.id }),
      admin.get(`${WEBHOOKS}/${UNKNOWN}`), admin.get(`${WEBHOOKS}/no-id`), admin.post(`${ours.base}/replay`, { delivery_id: 'no-id' })
    ]
    for (const { status, body } of await Promise.all(answers)) expect([status, body.code]).toEqual([404, 'not_found'])
    expect(receiver.received.filter(({ path }) => path === theirs.path)).toHaveLength(1)
    expect(receiver.received.filter(({ path }) => path === ours.path)).toHaveLength(1)
  })

  it('is one of twenty at most', async () => {
    const clinic = await instance.anotherClinic()
    const caller = await instance.as('admin', clinic)
    await Promise.all(Array.from({ length: 21 }, (_, n) => caller.post(WEBHOOKS, { url: `${receiver.url}/many-${n}`, events: ['*'] })))
    expect((await caller.get(WEBHOOKS)).body.data).toHaveLength(20)
    const { status, body } = await caller.post(WEBHOOKS, { url: receiver.url, events: ['*'] })
    expect([status, body.code]).toEqual([409, 'too_many_webhooks'])
  })
})

describe('an event', () => {
  it('is delivered with type, timestamp and data, signed, to the webhooks that want it', async () => {
    const all = await aWebhook({ events: ['*'] })
    const accepted = await aWebhook({ events: ['budget.accepted'] })
    const budget = await aSentBudget(instance)
    const patient = await aVerifiedPatient(instance, budget)
    expect((await patient.post(`${budget.base}/accept`, ACCEPTANCE)).status).toBe(200)

    const [request] = await receiver.at(accepted.path)
    expect(verified(accepted.secret, request!)).toEqual(request!.json)
    expect(request).toMatchObject({
      method: 'POST',
      headers: { 'content-type': 'application/json', 'webhook-id': request!.json.data.event_id },
      json: {
        type: 'budget.accepted',
        timestamp: request!.json.data.occurred_at,
        data: { budget_id: budget.id, budget_number: budget.number, version: 1, clinic_id: instance.clinic.id, accepted_via: 'remote_link', total: '121.00', seq: expect.stringMatching(/^\d+$/) }
      }
    })
    expect(request!.body).not.toMatch(/Lucía|Muñoz|patient\.test/)
    const everything = await eventually(async () => {
      const found = receiver.received.filter(({ path, json }) => path === all.path && json.data.budget_id === budget.id)
      return found.some(({ json }) => json.type === 'budget.signed_pdf_ready') && found
    }, 'all of its events')
    expect(everything.map(({ json }) => json.type).sort()).toEqual(['budget.accepted', 'budget.sent', 'budget.signed_pdf_ready'])
    expect(receiver.received.filter(({ path }) => path === accepted.path)).toHaveLength(1)
  })

  it('of a rejection carries the patient\'s reason only where it was asked for', async () => {
    const [silent, told] = [await aWebhook({ events: ['budget.rejected'] }), await aWebhook({ events: ['budget.rejected'], include_reason: true })]
    const budget = await aSentBudget(instance)
    const patient = await aVerifiedPatient(instance, budget)
    await patient.post(`${budget.base}/reject`, { reason: 'My cousin is a dentist.', reason_code: 'other' })
    const [[without], [within]] = await Promise.all([receiver.at(silent.path), receiver.at(told.path)])
    expect(without!.json.data).toMatchObject({ reason_code: 'other' })
    expect(without!.body).not.toContain('cousin')
    expect(within!.json.data).toMatchObject({ reason_code: 'other', reason: 'My cousin is a dentist.' })
  })

  it('of a transaction that is rolled back is not sent', async () => {
    const webhook = await aWebhook()
    const { db, events } = instance.runtime.services
    await expect(db.transaction(async (tx) => {
      await events.publish(tx, 'budget.tested', { clinic_id: instance.clinic.id, n: 'never' })
      throw new Error('rolled back')
    })).rejects.toThrow('rolled back')
    await publish({ n: 'after' })
    await receiver.at(webhook.path)
    expect((await deliveries(webhook)).total).toBe(1)
  })

  it('is not lost with the fact when its webhook is deleted at the same moment', async () => {
    const webhook = await aWebhook()
    const { db, events } = instance.runtime.services
    let published: Promise<string>
    await instance.sql.begin(async (deleting) => {
      await deleting`delete from core_webhook where id = ${webhook.id}`
      published = events.publish(db, 'budget.tested', { clinic_id: instance.clinic.id })
      await eventually(async () => (await instance.sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`).length > 0, 'the event that waits')
    })
    const id = await published!
    expect(await instance.sql`select name from core_event where id = ${id}`).toEqual([{ name: 'budget.tested' }])
  })
})

describe('a delivery', () => {
  it('that failed is tried again, with the same id and body and a fresh timestamp', async () => {
    const webhook = await aWebhook()
    receiver.answer(webhook.path, 500, 200)
    await publish({ n: 1 })
    const failed = await settled(webhook, 'pending')
    expect(failed).toMatchObject({ event: 'budget.tested', attempts: 1, response_status: 500, last_error: 'The target answered 500.', done_at: null })
    expect(Date.parse(failed.next_attempt_at) - Date.parse(failed.attempt_log[0].at)).toBeGreaterThan(4000)
    expect(await shown(webhook)).toMatchObject({ state: 'failing', last_error: 'The target answered 500.', failing_since: expect.any(String), active: true, pending: 1 })

    await eventually(async () => Date.now() > (Number(receiver.received.find(({ path }) => path === webhook.path)!.headers['webhook-timestamp']) + 1) * 1000, 'the next second')
    await makeDue(webhook)
    const delivered = await settled(webhook, 'delivered', 2)
    expect(delivered).toMatchObject({ id: failed.id, attempts: 2, response_status: 200, last_error: null, next_attempt_at: null, done_at: expect.any(String) })
    expect(delivered.attempt_log.map((attempt: any) => [attempt.response_status, attempt.response_body, attempt.error])).toEqual([
      [200, 'it says 200', null], [500, 'it says 500', 'The target answered 500.']])
    expect(await shown(webhook)).toMatchObject({ state: 'ok', failing_since: null, last_error: null, last_success_at: expect.any(String), pending: 0 })

    const [first, second] = await receiver.at(webhook.path, 2)
    expect([second!.headers['webhook-id'], second!.body]).toEqual([first!.headers['webhook-id'], first!.body])
    expect(Number(second!.headers['webhook-timestamp'])).toBeGreaterThan(Number(first!.headers['webhook-timestamp']))
    for (const request of [first!, second!]) verified(webhook.secret, request)
  })

  it('is given up after eight attempts, stays visible, and can be replayed with the same id', async () => {
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
    const { body: { data: { ok, advice } } } = await (await instance.asInstanceAdmin()).get('/api/v1/modules/-/doctor')
    expect(ok).toBe(true)
    expect(advice).toContainEqual(expect.objectContaining({ code: 'webhook_failing', object: webhook.id, message: expect.stringContaining('1 given up') }))

    receiver.answer(webhook.path, 204)
    const { status, body } = await admin.post(`${webhook.base}/replay`, { delivery_id: failed.id })
    expect([status, body.data.id, body.data.status]).toEqual([200, failed.id, 'pending'])
    expect(await settled(webhook, 'delivered', 9)).toMatchObject({ id: failed.id, attempts: 9 })
    const all = await receiver.at(webhook.path, 9)
    expect(new Set(all.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([event_id]))
  })

  it('follows no redirect', async () => {
    const webhook = await aWebhook()
    receiver.answer(webhook.path, response => void response.writeHead(307, { location: `${receiver.url}/elsewhere` }).end())
    await publish()
    expect(await settled(webhook, 'pending')).toMatchObject({ response_status: 307, last_error: 'The target answered 307: redirects are not followed.' })
    expect(receiver.received.some(({ path }) => path === '/elsewhere')).toBe(false)
  })

  it('to a target that hangs holds up neither other webhooks nor the product\'s own events', async () => {
    const hanging = await Promise.all(Array.from({ length: 6 }, () => aWebhook({ events: ['budget.hung'] })))
    for (const { path } of hanging) receiver.answer(path, () => {})
    await publish({}, 'budget.hung')
    for (const { path } of hanging) await receiver.at(path)
    const quick = await aWebhook({ events: ['budget.sent', 'budget.signed_pdf_ready'] })
    const budget = await aSentBudget(instance)
    await (await aVerifiedPatient(instance, budget)).post(`${budget.base}/accept`, ACCEPTANCE)
    const requests = await receiver.at(quick.path, 2)
    expect(requests.map(({ json }) => json.type)).toEqual(['budget.sent', 'budget.signed_pdf_ready'])
    expect((await deliveries(hanging[0]!)).data).toMatchObject([{ status: 'pending', attempts: 0 }])
    const late = await settled(hanging[0]!, 'pending')
    expect(late).toMatchObject({ response_status: null, last_error: 'No answer within 15 s.' })
  }, 60_000)

  it('keeps the beginning of a long or odd answer only', async () => {
    const webhook = await aWebhook()
    receiver.answer(webhook.path, response => void response.writeHead(400).end(`\0ñ${'x'.repeat(100_000)}`))
    await publish()
    const { attempt_log: [attempt] } = await settled(webhook, 'pending')
    expect(attempt.response_body).toHaveLength(500)
    expect(attempt.response_body.startsWith('ñxxx')).toBe(true)
  })

  it('tells why there was no answer', async () => {
    const gone = await aReceiver()
    const { url } = gone
    await gone.close()
    const webhook = await aWebhook({ url: `${url}/gone` })
    await publish()
    expect(await settled(webhook, 'pending')).toMatchObject({ response_status: null, last_error: expect.stringContaining('ECONNREFUSED') })
  })

  it('waits while its webhook is switched off, and events of that time are not sent later', async () => {
    const webhook = await aWebhook()
    receiver.answer(webhook.path, 500)
    await publish({ n: 'before' })
    const delivery = await settled(webhook, 'pending')
    expect((await admin.patch(webhook.base, { active: false })).body.data).toMatchObject({ active: false, state: 'inactive', pending: 1 })
    expect((await admin.post(`${webhook.base}/replay`, { delivery_id: delivery.id })).body).toMatchObject({ status: 409, code: 'wrong_state' })
    await publish({ n: 'meanwhile' })
    receiver.answer(webhook.path, 204)
    await instance.sql`update core_webhook_delivery set next_attempt_at = now() where webhook_id = ${webhook.id}`
    await admin.patch(webhook.base, { active: true })
    await settled(webhook, 'delivered', 2)
    await publish({ n: 'after' })
    const requests = await receiver.at(webhook.path, 3)
    expect(requests.map(({ json }) => json.data.n)).toEqual(['before', 'before', 'after'])
  })

  it('that waits goes to a new address at once', async () => {
    const webhook = await aWebhook()
    receiver.answer(webhook.path, 500)
    await publish()
    await settled(webhook, 'pending')
    const { status, body } = await admin.patch(webhook.base, { url: `${receiver.url}/moved` })
    expect([status, body.data.state, body.data.last_error]).toEqual([200, 'ok', null])
    await receiver.at('/moved')
    await settled(webhook, 'delivered', 2)
  })

  it('that a killed process had begun is made by the next one', async () => {
    const webhook = await aWebhook()
    await publish()
    await settled(webhook, 'delivered')
    await instance.sql`update core_webhook_delivery set status = 'pending', done_at = null, next_attempt_at = now() - interval '1 second' where webhook_id = ${webhook.id}`
    await instance.restart()
    await settled(webhook, 'delivered', 2)
  })

  it('ends with its webhook', async () => {
    const webhook = await aWebhook()
    receiver.answer(webhook.path, 500)
    await publish()
    await settled(webhook, 'pending')
    expect((await admin.delete(webhook.base)).status).toBe(204)
    expect(await instance.sql`select 1 from core_webhook_delivery where webhook_id = ${webhook.id}`).toHaveLength(0)
  })

  it('is listed newest first, in pages, by status', async () => {
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

  it('is forgotten after thirty days, and its event too when nothing else needs it', async () => {
    const webhook = await aWebhook()
    const [old, waiting] = [await publish({ n: 'old' }), await publish({ n: 'waiting' })]
    await eventually(async () => (await deliveries(webhook, '?status=delivered')).total === 2, 'both deliveries')
    await instance.sql`update core_event set occurred_at = now() - interval '31 days' where id in ${instance.sql([old, waiting])}`
    await instance.sql`update core_webhook_delivery set done_at = now() - interval '31 days' where webhook_id = ${webhook.id}`
    await admin.patch(webhook.base, { active: false })
    await instance.sql`update core_webhook_delivery set status = 'pending' where event_id = ${waiting}`
    await instance.sql`select graphile_worker.add_job('prune')`
    await eventually(async () => (await instance.sql`select 1 from core_event where id = ${old}`).length === 0, 'pruning')
    expect((await deliveries(webhook)).data.map((row: any) => row.event_id)).toEqual([waiting])
  })
})

describe('private and loopback addresses', () => {
  it('are refused when a webhook is made or changed, and when it is delivered', async () => {
    const strict = await anInstance()
    try {
      const caller = await strict.as('admin')
      for (const url of ['https://127.0.0.1/x', 'https://10.0.0.8/', 'https://[::1]/', 'https://169.254.169.254/latest', 'https://localhost/']) {
        const { status, body } = await caller.post(WEBHOOKS, { url, events: ['*'] })
        expect([status, body.errors]).toEqual([422, [{ pointer: '/url', message: expect.stringContaining('private network') }]])
      }
      expect((await caller.post(WEBHOOKS, { url: 'http://93.184.215.14/', events: ['*'] })).body.errors).toEqual([{ pointer: '/url', message: 'The address must start with https://.' }])
      const { body: { data: webhook } } = await caller.post(WEBHOOKS, { url: 'https://93.184.215.14/', events: ['budget.tested'] })
      expect((await caller.patch(`${WEBHOOKS}/${webhook.id}`, { url: 'https://192.168.0.1/' })).status).toBe(422)

      // Its name leads elsewhere by now.
      await strict.sql`update core_webhook set url = ${`${receiver.url.replace('http:', 'https:')}/trapped`} where id = ${webhook.id}`
      const { db, events } = strict.runtime.services
      await events.publish(db, 'budget.tested', { clinic_id: strict.clinic.id, n: randomUUID() })
      const delivery = await eventually(async () => {
        const [row] = (await caller.get(`${WEBHOOKS}/${webhook.id}/deliveries`)).body.data
        return row?.attempts > 0 && row
      }, 'the attempt')
      expect(delivery).toMatchObject({ status: 'pending', response_status: null, last_error: expect.stringContaining('private network') })
    } finally {
      await strict.close()
    }
  })
})
