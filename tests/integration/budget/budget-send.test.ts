import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  ACCEPTANCE,
  aDraft,
  aPatient,
  aSentBudget,
  aVerifiedPatient,
  BUDGETS,
  eventually
} from '../../support/builders.ts'
import type { Caller } from '../../support/caller.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { loadDocuments } from '../../support/documents/load-documents.ts'

let instance: Instance
let staff: Caller

beforeAll(async () => {
  await loadDocuments()
  instance = await anInstance()
  staff = await instance.as('admin')
})
afterAll(() => instance.close())

const eventsOf = async (id: string, name: string) =>
  (await instance.sql`select payload from core_event where name = ${name} and payload->>'budget_id' = ${id}`).map(
    row => row.payload
  )
const at = (id: string, call: string) => `${BUDGETS}/${id}/${call}`
const detail = async (id: string) => (await staff.get(`${BUDGETS}/${id}`)).body.data

/** The mails that contain a text, after decoding their parts. */
function letters(text: string): string[] {
  const folder = join(instance.storage, 'outbox')
  return readdirSync(folder)
    .filter(name => name.endsWith('.eml'))
    .map(name =>
      readFileSync(join(folder, name), 'utf8')
        .replaceAll('=\r\n', '')
        .replace(/((?:=[0-9A-F]{2})+)/g, run => Buffer.from(run.replaceAll('=', ''), 'hex').toString())
    )
    .filter(letter => letter.includes(text))
}

describe('sending a budget', () => {
  test('creates the link, generates a code and shows it once', async () => {
    const draft = await aDraft(instance)
    const { status, body } = await staff.post(at(draft.id, 'send'), { channel: 'manual' })
    expect(status).toBe(200)
    expect(body).toEqual({
      data: {
        status: 'sent',
        url: expect.stringMatching(new RegExp(`^${instance.url}/p/budget/[\\w-]{43}$`)),
        public_code: expect.stringMatching(/^\d{6}$/)
      }
    })
    const sent = await detail(draft.id)
    expect(sent).toMatchObject({
      status: 'sent',
      link: { state: 'active', url: body.data.url, has_code: true, locked: false, delivery: 'none' }
    })
    expect(JSON.stringify(sent)).not.toContain(body.data.public_code)
    const base = `/api/v1/public/budgets/${body.data.url.split('/').at(-1)}`
    expect((await instance.anonymous().post(`${base}/verify`, { code: body.data.public_code })).status).toBe(200)
    expect((await eventsOf(draft.id, 'budget.sent'))[0]).toMatchObject({
      channel: 'manual',
      valid_until: sent.valid_until
    })
    expect((await staff.post(at(draft.id, 'send'), { channel: 'manual' })).body).toMatchObject({
      status: 409,
      code: 'wrong_state'
    })
  })

  test('makes it valid for the clinic\'s number of days, until the end of the last day in its zone', async () => {
    const admin = await instance.as('admin')
    await admin.patch('/api/v1/clinic', { budget_validity_days: 10 })
    const { id } = await aSentBudget(instance)
    await admin.patch('/api/v1/clinic', { budget_validity_days: 30 })
    const [row] = await instance.sql`
      select valid_until = (sent_at at time zone 'Europe/Madrid')::date + 10 as day, expires_at = (valid_until + 1)::timestamp at time zone 'Europe/Madrid' as instant
      from budget where id = ${id}`
    expect(row).toEqual({ day: true, instant: true })
  })

  test('keeps the draft\'s code, or sets the given one', async () => {
    const draft = await aDraft(instance)
    expect((await staff.post(at(draft.id, 'set-public-code'), { code: '90817263' })).body).toEqual({ data: {} })
    const { body } = await staff.post(at(draft.id, 'send'), { channel: 'manual' })
    expect(Object.keys(body.data).sort()).toEqual(['status', 'url'])
    const base = `/api/v1/public/budgets/${body.data.url.split('/').at(-1)}`
    expect((await instance.anonymous().post(`${base}/verify`, { code: '90817263' })).status).toBe(200)
  })

  test.each([
    ['no_lines', 409, { items: [] }, {}],
    ['no_professional', 409, { professional_id: null }, {}],
    ['validation_failed', 422, {}, { channel: 'pigeon' }],
    ['validation_failed', 422, {}, { code: '12' }],
    ['validation_failed', 422, {}, { price: '1' }],
    ['message_contains_code', 422, {}, { code: '482913', message: 'Your code: 4 8 2-9 1 3' }]
  ])('answers %s (%i)', async (code, status, fields, send) => {
    const draft = await draftWith(fields)
    const answer = await staff.post(at(draft.id, 'send'), { channel: 'manual', ...send })
    expect([answer.status, answer.body.code]).toEqual([status, code])
    expect(await detail(draft.id)).toMatchObject({ status: 'draft', link: { state: 'none' } })
  })

  /** The builder fills in missing fields, so a field that should be missing is removed afterwards. */
  async function draftWith(fields: Record<string, unknown>) {
    const draft = await aDraft(instance)
    if (Object.keys(fields).length > 0) await staff.patch(`${BUDGETS}/${draft.id}`, fields)
    return draft
  }

  test('finds the code in the message even if it was set before', async () => {
    const draft = await aDraft(instance)
    await staff.post(at(draft.id, 'set-public-code'), { code: '4829' })
    expect(
      (await staff.post(at(draft.id, 'send'), { channel: 'manual', message: 'Call 91 648 29 55' })).body.code
    ).toBe('message_contains_code')
    expect((await staff.post(at(draft.id, 'send'), { channel: 'manual', message: 'Call us!' })).status).toBe(200)
  })

  test('is refused with an outdated version of the draft', async () => {
    const draft = await aDraft(instance)
    await instance.sql`update budget set valid_until = current_date - 2 where id = ${draft.id}`
    expect((await staff.post(at(draft.id, 'send'), { channel: 'manual' })).body).toMatchObject({
      status: 409,
      code: 'validity_passed'
    })
  })

  test('by mail needs an address', async () => {
    const patient = await aPatient(staff, { email: null })
    const draft = await aDraft(instance, { patient_id: patient.id })
    expect((await staff.post(at(draft.id, 'send'), { channel: 'email' })).body).toMatchObject({
      status: 422,
      code: 'no_email'
    })
    const sent = await aSentBudget(instance, { patient_id: patient.id })
    expect((await staff.post(at(sent.id, 'resend'), { channel: 'email' })).body).toMatchObject({
      status: 422,
      code: 'no_email'
    })
  })

  test('twenty times at once sends it once', async () => {
    const draft = await aDraft(instance)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => staff.post(at(draft.id, 'send'), { channel: 'manual' }))
    )
    expect(answers.map(answer => answer.status).sort()).toEqual([200, ...Array(19).fill(409)])
    expect(await eventsOf(draft.id, 'budget.sent')).toHaveLength(1)
  })
})

describe('the message', () => {
  test('contains the link, and no code, prices or treatments', async () => {
    const budget = await aSentBudget(
      instance,
      {},
      { channel: 'email', code: '918273', message: 'Hasta pronto & <b>gracias</b>' }
    )
    await eventually(async () => (await detail(budget.id)).link.delivery === 'sent', 'delivery')
    const [letter] = letters(budget.url)
    expect(letter).toContain('To: lucia@patient.test')
    expect(letter).toContain('Hola, Lucía:')
    expect(letter).toContain('Hasta pronto &amp; &lt;b&gt;gracias')
    expect(letter!.replaceAll(budget.url, '')).not.toMatch(/918273|121[.,]00|Empaste|Filling|€/)
    const [link]
      = await instance.sql`select channel, delivery_error, delivered_at is not null as stamped from budget_link where budget_id = ${budget.id}`
    expect(link).toEqual({ channel: 'email', delivery_error: null, stamped: true })
  })

  test('waits for a mail server that is down, shows that it does, and delays nothing else', async () => {
    const down = await anInstance({ env: { SVC_SMTP_URL: 'smtp://127.0.0.1:1' } })
    try {
      const budget = await aSentBudget(down, {}, { channel: 'email' })
      const member = await down.as('admin')
      await eventually(
        async () => (await member.get(`${BUDGETS}/${budget.id}`)).body.data.link.delivery === 'failed',
        'failure'
      )
      const { link } = (await member.get(`${BUDGETS}/${budget.id}`)).body.data
      expect(link).toMatchObject({
        channel: 'email',
        delivery_error_code: 'server_unreachable',
        delivered_at: null,
        delivered_via: null
      })
      expect(link.delivery_error).toMatch(/Can’t reach the mail server/)
      expect(JSON.stringify(link)).not.toMatch(/ECONNREFUSED|127\.0\.0\.1:1/)
      const patient = await aVerifiedPatient(down, budget)
      await patient.post(`${budget.base}/accept`, ACCEPTANCE)
      await eventually(
        async () => (await patient.get(budget.base)).body.data.signed_pdf.status === 'ready',
        'signed PDF'
      )
      const [row] = await down.sql`select status from core_delivery where name = 'deliver-link'`
      expect(row!.status).toBe('pending')
    } finally {
      await down.close()
    }
  }, 60_000)
})

describe('resending a budget', () => {
  test('keeps link, code and state, and publishes the reminder', async () => {
    const budget = await aSentBudget(instance)
    const { status, body } = await staff.post(at(budget.id, 'resend'), { channel: 'email' })
    expect([status, body]).toEqual([200, { data: { url: budget.url } }])
    expect((await eventsOf(budget.id, 'budget.reminder_sent'))[0]).toMatchObject({
      channel: 'email',
      sent_at: expect.any(String)
    })
    await aVerifiedPatient(instance, budget)
    await eventually(
      async () => letters(budget.url).some(letter => /Subject: =\?UTF-8\?|Subject: Recordatorio/.test(letter)),
      'the reminder'
    )
  })

  test('with a new link makes the old one unknown and keeps the code', async () => {
    const budget = await aSentBudget(instance)
    const { body } = await staff.post(at(budget.id, 'resend'), { channel: 'manual', new_link: true })
    expect(body.data.url).not.toBe(budget.url)
    expect((await instance.anonymous().get(`${budget.base}/meta`)).status).toBe(404)
    const base = `/api/v1/public/budgets/${body.data.url.split('/').at(-1)}`
    expect((await instance.anonymous().post(`${base}/verify`, { code: budget.code })).status).toBe(200)
  })

  test('is possible in every state that has a link; for a decided budget it sends the patient\'s copy', async () => {
    const budget = await aSentBudget(instance)
    await (await aVerifiedPatient(instance, budget)).post(`${budget.base}/accept`, ACCEPTANCE)
    expect((await staff.post(at(budget.id, 'resend'), { channel: 'email' })).status).toBe(200)
    await eventually(async () => letters(budget.url).some(letter => letter.includes('descargar su copia')), 'the copy')
    expect((await detail(budget.id)).status).toBe('accepted')
  })

  test.each([
    ['a draft', async () => (await aDraft(instance)).id as string, 'wrong_state'],
    ['a draft that was cancelled', async () => {
      const draft = await aDraft(instance)
      await staff.post(at(draft.id, 'cancel'), {})
      return draft.id as string
    }, 'wrong_state'],
    ['a budget without a code', async () => {
      const { id } = await aSentBudget(instance)
      await instance.sql`update budget_link set code_hash = null where budget_id = ${id}`
      return id
    }, 'no_code']
  ])('is 409 for %s', async (_, make, code) => {
    expect((await staff.post(at(await make(), 'resend'), { channel: 'manual' })).body).toMatchObject({
      status: 409,
      code
    })
  })
})

describe('setting the code', () => {
  test('requires either a code or a request to generate one', async () => {
    const { id } = await aSentBudget(instance)
    expect((await staff.post(at(id, 'set-public-code'), { generate: true })).body).toEqual({
      data: { public_code: expect.stringMatching(/^\d{6}$/) }
    })
    for (const body of [
      {},
      { generate: true, code: '1234' },
      { generate: false },
      { code: '12' },
      { code: 'abcd' },
      { code: '1234', x: 1 }
    ]) {
      expect((await staff.post(at(id, 'set-public-code'), body)).status).toBe(422)
    }
  })
})

describe('a revision', () => {
  test('supersedes the version before it when it is sent, and the old link shows that', async () => {
    const old = await aSentBudget(instance)
    const { id } = (await staff.post(at(old.id, 'revise'))).body.data
    expect((await detail(old.id)).status).toBe('sent')
    await staff.post(at(id, 'send'), { channel: 'manual' })
    expect(await detail(old.id)).toMatchObject({
      status: 'superseded',
      superseded_by_id: id,
      link: { state: 'closed' }
    })
    expect(await eventsOf(old.id, 'budget.superseded')).toEqual([
      expect.objectContaining({ superseded_by_id: id, version: 1 })
    ])
    expect((await instance.anonymous().get(`${old.base}/meta`)).body.data.state).toBe('closed')
    const patient = await aVerifiedPatient(instance, old)
    expect((await patient.get(old.base)).body.data.status).toBe('superseded')
    expect((await patient.post(`${old.base}/accept`, ACCEPTANCE)).body).toMatchObject({
      status: 410,
      code: 'budget_superseded'
    })
  })

  test('cannot be sent after the version before it was accepted', async () => {
    const old = await aSentBudget(instance)
    const { id } = (await staff.post(at(old.id, 'revise'))).body.data
    await (await aVerifiedPatient(instance, old)).post(`${old.base}/accept`, ACCEPTANCE)
    expect((await staff.post(at(id, 'send'), { channel: 'manual' })).body).toMatchObject({
      status: 409,
      code: 'wrong_state'
    })
    expect((await detail(old.id)).status).toBe('accepted')
  })

  test('can be sent at the same time as the old version is accepted: one of the two succeeds', async () => {
    for (let round = 0; round < 5; round++) {
      const old = await aSentBudget(instance)
      const { id } = (await staff.post(at(old.id, 'revise'))).body.data
      const patient = await aVerifiedPatient(instance, old)
      const [sent, accepted] = await Promise.all([
        staff.post(at(id, 'send'), { channel: 'manual' }),
        patient.post(`${old.base}/accept`, ACCEPTANCE)
      ])
      expect([sent.status, accepted.status].sort()).toEqual(sent.status === 200 ? [200, 410] : [200, 409])
    }
  })
})
