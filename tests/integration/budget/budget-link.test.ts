import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ACCEPTANCE, aSentBudget, aVerifiedPatient, BUDGETS, type SentBudget } from '../../support/builders.ts'
import type { Caller } from '../../support/caller.ts'
import { anInstance, type Instance } from '../../support/instance.ts'

let instance: Instance
let staff: Caller

beforeAll(async () => {
  instance = await anInstance()
  staff = await instance.as('receptionist')
})
afterAll(() => instance.close())

const unknown = '/api/v1/public/budgets'
const linkOf = async (id: string) => (await instance.sql`select * from budget_link where budget_id = ${id}`)[0]!
const logOf = async (id: string) =>
  instance.sql`select action, success, actor, detail from budget_access_log where budget_id = ${id} order by seq`
const verify = (budget: SentBudget, code = budget.code, caller = instance.anonymous()) =>
  caller.post(`${budget.base}/verify`, { code })

describe('opening a link', () => {
  test('shows the state and the clinic, but not the patient, number, price or decision', async () => {
    const budget = await aSentBudget(instance)
    const { status, body, headers } = await instance.anonymous().get(`${budget.base}/meta`)
    expect(status).toBe(200)
    expect(body).toEqual({
      data: {
        state: 'open',
        locked: false,
        locked_until: null,
        clinic: { name: 'Clínica Peñalver', phone: null, email: null, address: null, logo_url: null },
        locale: 'es',
        time_zone: 'Europe/Madrid'
      }
    })
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-robots-tag')).toBe('noindex')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
  })

  test('changes nothing, by GET, HEAD, prefetch or anything that a scanner does without a session', async () => {
    const budget = await aSentBudget(instance)
    const before = await snapshot(budget)
    const scanner = instance.anonymous()
    for (const path of ['', '/meta', '/pdf', '/pdf/signed']) {
      await scanner.get(`${budget.base}${path}`, { headers: { 'user-agent': 'WhatsApp/2.0' } })
      await scanner.head(`${budget.base}${path}`)
      await scanner.get(`${budget.base}${path}`, {
        headers: { 'sec-purpose': 'prefetch;prerender', 'accept': 'text/html' }
      })
    }
    await scanner.post(`${budget.base}/accept`, ACCEPTANCE)
    await scanner.post(`${budget.base}/reject`, { reason: 'x' })
    await scanner.delete(`${budget.base}/session`)
    const after = await snapshot(budget)
    // The endpoint of the signed PDF logs each request for a known link, including refused ones.
    expect({ ...after, log: after.log.filter(row => row.action !== 'signed_pdf_download') }).toEqual(before)
  })

  async function snapshot(budget: SentBudget) {
    const [row]
      = await instance.sql`select status, viewed_at, decided_at, updated_at from budget where id = ${budget.id}`
    const sessions = await instance.sql`select count(*)::int as n from budget_session where budget_id = ${budget.id}`
    return { row, link: await linkOf(budget.id), sessions: sessions[0]!.n, log: await logOf(budget.id) }
  }

  test('gets the same answer for unknown, malformed and revoked tokens', async () => {
    const budget = await aSentBudget(instance)
    await staff.post(`${BUDGETS}/${budget.id}/resend`, { channel: 'manual', new_link: true })
    const tokens = [
      budget.token,
      'A'.repeat(43),
      'x',
      '%00',
      '%',
      '%ff',
      '..%2F..%2Fetc',
      'é',
      `${budget.token}=`,
      budget.id,
      'a'.repeat(5000)
    ]
    for (const [call, send] of Object.entries({
      meta: (token: string) => instance.anonymous().get(`${unknown}/${token}/meta`),
      verify: (token: string) => instance.anonymous().post(`${unknown}/${token}/verify`, { code: '482913' }),
      view: (token: string) => instance.anonymous().get(`${unknown}/${token}`),
      accept: (token: string) => instance.anonymous().post(`${unknown}/${token}/accept`, ACCEPTANCE)
    })) {
      const answers = await Promise.all(tokens.map(send))
      const shown = answers.map(({ status, body }) => ({ status, ...body, request_id: undefined }))
      expect(shown, call).toEqual(tokens.map(() => ({ ...shown[0], status: 404, code: 'link_not_found' })))
    }
  })

  test('leads a person with an ended session to the page', async () => {
    const budget = await aSentBudget(instance)
    const { status, headers } = await instance
      .anonymous()
      .get(budget.base, { headers: { accept: 'text/html,application/xhtml+xml' } })
    expect(status).toBe(303)
    expect(headers.get('location')).toBe(`/p/budget/${budget.token}`)
    expect((await instance.anonymous().get(budget.base)).body).toMatchObject({ status: 401, code: 'code_required' })
  })

  test('stores no token and no code in the database', async () => {
    const budget = await aSentBudget(instance, {}, { code: '77441199' })
    await verify(budget, '1111')
    const tables = [
      'budget',
      'budget_link',
      'budget_session',
      'budget_access_log',
      'core_rate_limit',
      'core_event',
      'core_delivery'
    ]
    for (const table of tables) {
      const rows = await instance.sql`select t::text as row from ${instance.sql(table)} t`
      const text = rows.map(row => row.row).join('\n')
      expect(text.includes(budget.token), table).toBe(false)
      expect(text.includes('77441199'), table).toBe(false)
    }
  })
})

describe('the code', () => {
  test('opens a session in a cookie of this link that ends with the browser', async () => {
    const budget = await aSentBudget(instance)
    const { status, body, headers } = await verify(budget)
    expect(status).toBe(200)
    expect(Object.keys(body.data)).toEqual(['session_expires_at'])
    const cookie = headers.getSetCookie()[0]!
    expect(cookie).toMatch(
      new RegExp(`^budget_session=[\\w-]{43}; Path=/api/v1/public/budgets/${budget.token}; HttpOnly; SameSite=Strict$`)
    )
  })

  test('sets a Secure cookie where people reach the instance by https', async () => {
    const secure = await anInstance({ env: { SVC_BASE_URL: 'https://clinic.test', SVC_HASH_COST: '' } })
    try {
      const budget = await aSentBudget(secure)
      const answer = await secure
        .anonymous()
        .post(`${budget.base}/verify`, { code: budget.code }, { headers: { origin: 'https://clinic.test' } })
      expect(answer.headers.getSetCookie()[0]).toContain('; Secure')
    } finally {
      await secure.close()
    }
  })

  test.each(['', '123', '123456789', '12a4', 482913, null, ['1234'], { code: '1234' }])(
    'is malformed if it is %j: 422, and not counted',
    async (code) => {
      const budget = await aSentBudget(instance)
      const { status, body } = await instance.anonymous().post(`${budget.base}/verify`, { code })
      expect([status, body.code, body.errors[0].pointer]).toEqual([422, 'validation_failed', '/code'])
      expect((await linkOf(budget.id)).failed_attempts).toBe(0)
    }
  )

  test('works ten times in a row, even all at once', async () => {
    const budget = await aSentBudget(instance)
    for (let i = 0; i < 10; i++) expect((await verify(budget)).status).toBe(200)
    const together = await Promise.all(Array.from({ length: 10 }, () => verify(budget)))
    expect(together.map(answer => answer.status)).toEqual(Array(10).fill(200))
  })

  test('works after a decision, and on expired, cancelled and superseded versions, which can be read but not decided', async () => {
    const decided = await aSentBudget(instance)
    await (await aVerifiedPatient(instance, decided)).post(`${decided.base}/accept`, ACCEPTANCE)
    const cancelled = await aSentBudget(instance)
    await staff.post(`${BUDGETS}/${cancelled.id}/cancel`, {})
    const superseded = await aSentBudget(instance)
    const revision = await staff.post(`${BUDGETS}/${superseded.id}/revise`, {})
    await staff.post(`${BUDGETS}/${revision.body.data.id}/send`, { channel: 'manual' })
    const expired = await aSentBudget(instance)
    await expire(expired)

    for (const [budget, state, code, status] of [
      [decided, 'accepted', 'already_decided', 409],
      [cancelled, 'cancelled', 'budget_cancelled', 410],
      [superseded, 'superseded', 'budget_superseded', 410],
      [expired, 'expired', 'budget_expired', 410]
    ] as const) {
      const patient = await aVerifiedPatient(instance, budget)
      expect((await patient.get(budget.base)).body.data.status).toBe(state)
      expect((await patient.get(`${budget.base}/meta`)).body.data.state).toBe('closed')
      expect((await patient.post(`${budget.base}/accept`, ACCEPTANCE)).body).toMatchObject({ status, code })
      expect((await patient.post(`${budget.base}/reject`, { reason: 'no' })).body).toMatchObject({ status, code })
    }
  })
})

/** The trigger allows this only when time has passed, so the test moves the end with triggers off. */
async function expire(budget: { id: string }) {
  await instance.sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`update budget set expires_at = now() - interval '1 second' where id = ${budget.id}`
  })
}

describe('another clinic', () => {
  test('gets 404 at every call', async () => {
    const budget = await aSentBudget(instance)
    const foreign = await instance.as('admin', await instance.anotherClinic())
    const at = `${BUDGETS}/${budget.id}`
    const answers = await Promise.all([
      foreign.post(`${at}/send`, { channel: 'manual' }),
      foreign.post(`${at}/resend`, { channel: 'manual' }),
      foreign.post(`${at}/set-public-code`, { generate: true }),
      foreign.post(`${at}/unlock-public`),
      foreign.post(`${at}/accept-in-clinic`, ACCEPTANCE),
      foreign.post(`${at}/reject-in-clinic`, { reason: 'x' }),
      foreign.get(`${at}/preview`),
      foreign.get(`${at}/access-log`),
      foreign.get(`${at}/signature`)
    ])
    expect(answers.map(answer => [answer.status, answer.body.code])).toEqual(answers.map(() => [404, 'not_found']))
  })

  test('gets 404 for malformed ids too', async () => {
    const answers = await Promise.all([
      staff.post(`${BUDGETS}/nonsense/send`, { channel: 'manual' }),
      staff.get(`${BUDGETS}/nonsense/access-log`),
      staff.post(`${BUDGETS}/nonsense/unlock-public`)
    ])
    expect(answers.map(answer => answer.status)).toEqual([404, 404, 404])
  })

  test('is refused as unknown, while a reader of the own clinic gets 403 for every change', async () => {
    const budget = await aSentBudget(instance)
    const reader = await instance.as('hygienist')
    for (const [call, body] of [
      ['send', { channel: 'manual' }],
      ['resend', { channel: 'manual' }],
      ['set-public-code', { generate: true }],
      ['unlock-public', {}],
      ['accept-in-clinic', ACCEPTANCE],
      ['reject-in-clinic', { reason: 'x' }]
    ] as const) {
      expect((await reader.post(`${BUDGETS}/${budget.id}/${call}`, body)).body).toMatchObject({
        status: 403,
        detail: 'Permission denied: budget.write'
      })
    }
    expect((await reader.get(`${BUDGETS}/${budget.id}/preview`)).status).toBe(200)
  })
})
