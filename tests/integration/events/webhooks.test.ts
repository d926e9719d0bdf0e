import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ACCEPTANCE, aSentBudget, aVerifiedPatient, eventually } from '../../support/builders.ts'
import { anInstance } from '../../support/instance.ts'
import { verified } from '../../support/outside/receiver.ts'
import { aWebhookWorld, WEBHOOKS, type WebhookWorld } from '../../support/webhooks.ts'

let world: WebhookWorld
let { instance, receiver, admin, aWebhook, publish, deliveries, settled } = {} as WebhookWorld
beforeAll(async () => {
  world = await aWebhookWorld();
  ({ instance, receiver, admin, aWebhook, publish, deliveries, settled } = world)
})
afterEach(async () => {
  await instance.sql`delete from core_webhook`
})
afterAll(() => world.close())

const UNKNOWN = '00000000-0000-4000-8000-000000000009'

describe('a webhook', () => {
  it('is created with a secret that is shown once and kept sealed', async () => {
    const { status, body } = await admin.post(WEBHOOKS, {
      url: `${receiver.url}/created`,
      events: ['budget.accepted', 'budget.rejected']
    })
    expect(status).toBe(201)
    const { secret, ...rest } = body.data
    expect(secret).toMatch(/^whsec_/)
    expect(rest).toEqual({
      id: expect.any(String),
      url: `${receiver.url}/created`,
      events: ['budget.accepted', 'budget.rejected'],
      include_reason: false,
      active: true,
      state: 'ok',
      failing_since: null,
      last_error: null,
      last_failure: null,
      last_success_at: null,
      pending: 0,
      failed: 0,
      created_at: expect.stringMatching(/Z$/)
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
    [{ url: 'https://hooks.example/a\r\nb' }, '/url'],
    [{ url: 'https://hooks.example/\u202Eexe' }, '/url'],
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

  it('that was changed meanwhile is not overwritten if If-Match has an old ETag; attempts don\'t change the ETag', async () => {
    const webhook = await aWebhook()
    const tag = async () => (await admin.get(webhook.base)).headers.get('etag')!
    const read = await tag()
    receiver.answer(webhook.path, 500)
    await publish()
    await settled(webhook, 'pending')
    expect(await tag()).toBe(read)

    const first = await admin.patch(webhook.base, { events: ['budget.sent'] }, { headers: { 'if-match': read } })
    expect([first.status, first.headers.get('etag')]).toEqual([200, await tag()])
    const second = await admin.patch(webhook.base, { include_reason: true }, { headers: { 'if-match': read } })
    expect([second.status, second.body.code]).toEqual([412, 'precondition_failed'])
    expect((await admin.get(webhook.base)).body.data).toMatchObject({ events: ['budget.sent'], include_reason: false })
    expect(
      (await admin.patch(webhook.base, { include_reason: true }, { headers: { 'if-match': await tag() } })).status
    ).toBe(200)
    expect((await admin.patch(webhook.base, { include_reason: false })).status).toBe(200)
  })

  it('can be managed only by administrators: the answer to others names the missing permission', async () => {
    const webhook = await aWebhook()
    for (const role of ['dentist', 'hygienist', 'assistant', 'receptionist'] as const) {
      const caller = await instance.as(role)
      const answers = [
        caller.get(WEBHOOKS),
        caller.post(WEBHOOKS, { url: receiver.url, events: ['*'] }),
        caller.get(webhook.base),
        caller.patch(webhook.base, { active: false }),
        caller.delete(webhook.base),
        caller.get(`${webhook.base}/deliveries`),
        caller.post(`${webhook.base}/replay`, { delivery_id: UNKNOWN })
      ]
      for (const { status, body } of await Promise.all(answers))
        expect([status, body.detail]).toEqual([403, 'Permission denied: webhooks.manage'])
    }
    expect((await instance.anonymous().get(WEBHOOKS)).status).toBe(401)
  })

  it('belongs to its clinic: another clinic neither sees nor changes it, nor gets its events', async () => {
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
      stranger.get(ours.base),
      stranger.patch(ours.base, { active: false }),
      stranger.delete(ours.base),
      stranger.get(`${ours.base}/deliveries`),
      stranger.post(`${ours.base}/replay`, { delivery_id: delivery.id }),
      stranger.post(`${theirs.base}/replay`, { delivery_id: delivery.id }),
      admin.get(`${WEBHOOKS}/${UNKNOWN}`),
      admin.get(`${WEBHOOKS}/no-id`),
      admin.post(`${ours.base}/replay`, { delivery_id: 'no-id' })
    ]
    for (const { status, body } of await Promise.all(answers)) expect([status, body.code]).toEqual([404, 'not_found'])
    expect(receiver.received.filter(({ path }) => path === theirs.path)).toHaveLength(1)
    expect(receiver.received.filter(({ path }) => path === ours.path)).toHaveLength(1)
  })

  it('is one of at most twenty', async () => {
    const clinic = await instance.anotherClinic()
    const caller = await instance.as('admin', clinic)
    await Promise.all(
      Array.from({ length: 21 }, (_, n) => caller.post(WEBHOOKS, { url: `${receiver.url}/many-${n}`, events: ['*'] }))
    )
    expect((await caller.get(WEBHOOKS)).body.data).toHaveLength(20)
    const { status, body } = await caller.post(WEBHOOKS, { url: receiver.url, events: ['*'] })
    expect([status, body.code]).toEqual([409, 'too_many_webhooks'])
  })
})

describe('an event', () => {
  it('is delivered with type, timestamp and data, signed, to the webhooks that subscribe to it', async () => {
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
        data: {
          budget_id: budget.id,
          budget_number: budget.number,
          version: 1,
          clinic_id: instance.clinic.id,
          accepted_via: 'remote_link',
          total: '121.00',
          seq: expect.stringMatching(/^\d+$/)
        }
      }
    })
    expect(request!.body).not.toMatch(/Lucía|Muñoz|patient\.test/)
    const everything = await eventually(async () => {
      const found = receiver.received.filter(({ path, json }) => path === all.path && json.data.budget_id === budget.id)
      return found.some(({ json }) => json.type === 'budget.signed_pdf_ready') && found
    }, 'all of its events')
    expect(everything.map(({ json }) => json.type).sort()).toEqual([
      'budget.accepted',
      'budget.sent',
      'budget.signed_pdf_ready'
    ])
    expect(receiver.received.filter(({ path }) => path === accepted.path)).toHaveLength(1)
  })

  it('of a rejection contains the patient\'s reason only for webhooks that request it', async () => {
    const [silent, told] = [
      await aWebhook({ events: ['budget.rejected'] }),
      await aWebhook({ events: ['budget.rejected'], include_reason: true })
    ]
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
    const { db, events } = instance.runtime.host
    await expect(db.transaction(async (tx) => {
      await events.publish(tx, 'budget.tested', { clinic_id: instance.clinic.id, n: 'never' })
      throw new Error('rolled back')
    })).rejects.toThrow('rolled back')
    await publish({ n: 'after' })
    await receiver.at(webhook.path)
    expect((await deliveries(webhook)).total).toBe(1)
  })

  it('is not lost with its transaction if its webhook is deleted at the same moment', async () => {
    const webhook = await aWebhook()
    const { db, events } = instance.runtime.host
    let published: Promise<string>
    await instance.sql.begin(async (deleting) => {
      await deleting`delete from core_webhook where id = ${webhook.id}`
      published = events.publish(db, 'budget.tested', { clinic_id: instance.clinic.id })
      await eventually(
        async () =>
          (
            await instance.sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
          ).length > 0,
        'the event that waits'
      )
    })
    const id = await published!
    expect(await instance.sql`select name from core_event where id = ${id}`).toEqual([{ name: 'budget.tested' }])
  })
})

describe('a private or loopback address', () => {
  it('is refused when a webhook is created or changed, and when it is delivered', async () => {
    const strict = await anInstance()
    try {
      const caller = await strict.as('admin')
      for (const url of [
        'https://127.0.0.1/x',
        'https://10.0.0.8/',
        'https://[::1]/',
        'https://169.254.169.254/latest',
        'https://localhost/'
      ]) {
        const { status, body } = await caller.post(WEBHOOKS, { url, events: ['*'] })
        expect([status, body.errors]).toEqual([
          422,
          [{ pointer: '/url', message: expect.stringContaining('private network') }]
        ])
      }
      expect((await caller.post(WEBHOOKS, { url: 'http://93.184.215.14/', events: ['*'] })).body.errors).toEqual([
        { pointer: '/url', message: 'The address must start with https://.' }
      ])
      const {
        body: { data: webhook }
      } = await caller.post(WEBHOOKS, { url: 'https://93.184.215.14/', events: ['budget.tested'] })
      expect((await caller.patch(`${WEBHOOKS}/${webhook.id}`, { url: 'https://192.168.0.1/' })).status).toBe(422)

      // Its name now resolves to another address.
      await strict.sql`update core_webhook set url = ${`${receiver.url.replace('http:', 'https:')}/trapped`} where id = ${webhook.id}`
      const { db, events } = strict.runtime.host
      await events.publish(db, 'budget.tested', { clinic_id: strict.clinic.id })
      const delivery = await eventually(async () => {
        const [row] = (await caller.get(`${WEBHOOKS}/${webhook.id}/deliveries`)).body.data
        return row?.attempts > 0 && row
      }, 'the attempt')
      expect(delivery).toMatchObject({
        status: 'pending',
        response_status: null,
        last_error: expect.stringContaining('private network')
      })
    } finally {
      await strict.close()
    }
  })
})
