import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ACCEPTANCE, aDraft, aSentBudget, aTreatment, aVerifiedPatient, BUDGETS, type SentBudget } from '../support/builders.ts'
import type { Caller } from '../support/caller.ts'
import { anInstance, type Instance } from '../support/instance.ts'

let instance: Instance
let staff: Caller

beforeAll(async () => {
  instance = await anInstance()
  staff = await instance.as('receptionist')
})
afterAll(() => instance.close())

const unknown = '/api/v1/public/budgets'
const linkOf = async (id: string) => (await instance.sql`select * from budget_link where budget_id = ${id}`)[0]!
const logOf = async (id: string) => instance.sql`select action, success, actor, detail from budget_access_log where budget_id = ${id} order by seq`
const verify = (budget: SentBudget, code = budget.code, caller = instance.anonymous()) => caller.post(`${budget.base}/verify`, { code })

/** Failures so far, as if they had happened an hour and more ago for every address. */
async function setFailures(budget: SentBudget, failed_attempts: number) {
  await instance.sql`update budget_link set failed_attempts = ${failed_attempts}, locked_until = null where budget_id = ${budget.id}`
  await instance.sql`delete from core_rate_limit`
}

describe('opening a link', () => {
  test('tells the state and the clinic, and nothing of the patient, number, price or decision', async () => {
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

  test('changes nothing, by GET, HEAD, prefetch or anything a scanner does without a session', async () => {
    const budget = await aSentBudget(instance)
    const before = await snapshot(budget)
    const scanner = instance.anonymous()
    for (const path of ['', '/meta', '/pdf', '/pdf/signed']) {
      await scanner.get(`${budget.base}${path}`, { headers: { 'user-agent': 'WhatsApp/2.0' } })
      await scanner.head(`${budget.base}${path}`)
      await scanner.get(`${budget.base}${path}`, { headers: { 'sec-purpose': 'prefetch;prerender', 'accept': 'text/html' } })
    }
    await scanner.post(`${budget.base}/accept`, ACCEPTANCE)
    await scanner.post(`${budget.base}/reject`, { reason: 'x' })
    await scanner.delete(`${budget.base}/session`)
    const after = await snapshot(budget)
    // The signed copy of a known link keeps a row of each hit, refused ones too.
    expect({ ...after, log: after.log.filter(row => row.action !== 'signed_pdf_download') }).toEqual(before)
  })

  async function snapshot(budget: SentBudget) {
    const [row] = await instance.sql`select status, viewed_at, decided_at, updated_at from budget where id = ${budget.id}`
    const sessions = await instance.sql`select count(*)::int as n from budget_session where budget_id = ${budget.id}`
    return { row, link: await linkOf(budget.id), sessions: sessions[0]!.n, log: await logOf(budget.id) }
  }

  test('answers alike for unknown, malformed and revoked tokens', async () => {
    const budget = await aSentBudget(instance)
    await staff.post(`${BUDGETS}/${budget.id}/resend`, { channel: 'manual', new_link: true })
    const tokens = [budget.token, 'A'.repeat(43), 'x', '%00', '%', '%ff', '..%2F..%2Fetc', 'é', `${budget.token}=`, budget.id, 'a'.repeat(5000)]
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

  test('sends a person with an ended session to the page', async () => {
    const budget = await aSentBudget(instance)
    const { status, headers } = await instance.anonymous().get(budget.base, { headers: { accept: 'text/html,application/xhtml+xml' } })
    expect(status).toBe(303)
    expect(headers.get('location')).toBe(`/p/budget/${budget.token}`)
    expect((await instance.anonymous().get(budget.base)).body).toMatchObject({ status: 401, code: 'code_required' })
  })

  test('keeps no token and no code in the database', async () => {
    const budget = await aSentBudget(instance, {}, { code: '77441199' })
    await verify(budget, '1111')
    const tables = ['budget', 'budget_link', 'budget_session', 'budget_access_log', 'core_rate_limit', 'core_event', 'core_delivery']
    for (const table of tables) {
      const rows = await instance.sql`select t::text as row from ${instance.sql(table)} t`
      const text = rows.map(row => row.row).join('\n')
      expect(text.includes(budget.token), table).toBe(false)
      expect(text.includes('77441199'), table).toBe(false)
    }
  })
})

describe('the code', () => {
  test('opens a session in a cookie of this link that dies with the browser', async () => {
    const budget = await aSentBudget(instance)
    const { status, body, headers } = await verify(budget)
    expect(status).toBe(200)
    expect(Object.keys(body.data)).toEqual(['session_expires_at'])
    const cookie = headers.getSetCookie()[0]!
    expect(cookie).toMatch(new RegExp(`^budget_session=[\\w-]{43}; Path=/api/v1/public/budgets/${budget.token}; HttpOnly; SameSite=Strict$`))
  })

  test('is Secure where people reach the instance by https', async () => {
    const secure = await anInstance({ env: { SVC_BASE_URL: 'https://clinic.test' } })
    try {
      const budget = await aSentBudget(secure)
      const answer = await secure.anonymous().post(`${budget.base}/verify`, { code: budget.code }, { headers: { origin: 'https://clinic.test' } })
      expect(answer.headers.getSetCookie()[0]).toContain('; Secure')
    } finally {
      await secure.close()
    }
  })

  test.each(['', '123', '123456789', '12a4', '12 34', 482913, null, ['1234'], { code: '1234' }])('%j is malformed: 422, and counts nothing', async (code) => {
    const budget = await aSentBudget(instance)
    const { status, body } = await instance.anonymous().post(`${budget.base}/verify`, { code })
    expect([status, body.code, body.errors[0].pointer]).toEqual([422, 'validation_failed', '/code'])
    expect((await linkOf(budget.id)).failed_attempts).toBe(0)
  })

  test('works ten times in a row, also all at once', async () => {
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
      [decided, 'accepted', 'already_decided', 409], [cancelled, 'cancelled', 'budget_cancelled', 410],
      [superseded, 'superseded', 'budget_superseded', 410], [expired, 'expired', 'budget_expired', 410]
    ] as const) {
      const patient = await aVerifiedPatient(instance, budget)
      expect((await patient.get(budget.base)).body.data.status).toBe(state)
      expect((await patient.get(`${budget.base}/meta`)).body.data.state).toBe('closed')
      expect((await patient.post(`${budget.base}/accept`, ACCEPTANCE)).body).toMatchObject({ status, code })
      expect((await patient.post(`${budget.base}/reject`, { reason: 'no' })).body).toMatchObject({ status, code })
    }
  })
})

/** The trigger refuses what the clock does by itself, so the test moves the end with triggers off. */
async function expire(budget: { id: string }) {
  await instance.sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`update budget set expires_at = now() - interval '1 second' where id = ${budget.id}`
  })
}

describe('the lock', () => {
  test('comes with every fifth failure: 15 minutes, 1 hour, then 24 hours', async () => {
    const budget = await aSentBudget(instance)
    for (const [before, seconds] of [[0, 900], [5, 3600], [10, 86400], [15, 86400]] as const) {
      await setFailures(budget, before)
      for (let left = 4; left > 0; left--) {
        expect((await verify(budget, '0000')).body).toMatchObject({ status: 401, code: 'code_wrong', attempts_left: left })
      }
      const { status, body, headers } = await verify(budget, '0000')
      expect([status, body.code]).toEqual([423, 'link_locked'])
      expect(Math.abs((Date.parse(body.locked_until) - Date.now()) / 1000 - seconds)).toBeLessThan(30)
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(seconds - 30)
      const right = await verify(budget)
      expect(right.body).toMatchObject({ status: 423, code: 'link_locked', locked_until: body.locked_until })
      expect((await instance.anonymous().get(`${budget.base}/meta`)).body.data).toMatchObject({ state: 'locked', locked: true, locked_until: body.locked_until })
    }
  })

  test('lets no more comparisons through than it allows, however many guesses race', async () => {
    const budget = await aSentBudget(instance)
    const answers = await Promise.all(Array.from({ length: 200 }, (_, i) => verify(budget, String(1000 + i))))
    const count = (code: string) => answers.filter(answer => answer.body.code === code).length
    expect([count('code_wrong'), count('link_locked')]).toEqual([4, 196])
    expect((await linkOf(budget.id)).failed_attempts).toBe(5)
    const rows = await logOf(budget.id)
    expect(rows.filter(row => row.action === 'verify' && !row.success)).toHaveLength(5)
    expect(rows.filter(row => row.action === 'locked')).toHaveLength(1)
  })

  test('is undone by the staff: a new epoch, the failed attempts stay in the log', async () => {
    const budget = await aSentBudget(instance)
    await instance.sql`delete from core_rate_limit`
    for (let i = 0; i < 5; i++) await verify(budget, '0000')
    const { status, body } = await staff.post(`${BUDGETS}/${budget.id}/unlock-public`, { reason: 'She rang.' })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ state: 'active', has_code: true, failed_attempts: 0, locked: false, locked_until: null, url: budget.url })
    expect((await staff.post(`${BUDGETS}/${budget.id}/unlock-public`)).body.data).toEqual(body.data)
    expect((await verify(budget)).status).toBe(200)
    expect((await verify(budget, '0000')).body.attempts_left).toBe(4)
    const rows = await logOf(budget.id)
    expect(rows.filter(row => row.action === 'verify' && !row.success)).toHaveLength(6)
    expect(rows.filter(row => row.action === 'unlocked')).toHaveLength(1)
  })

  test('starts anew after a right code and after a code change', async () => {
    const budget = await aSentBudget(instance)
    await setFailures(budget, 9)
    await verify(budget)
    expect((await verify(budget, '0000')).body.attempts_left).toBe(4)
    await setFailures(budget, 9)
    await staff.post(`${BUDGETS}/${budget.id}/set-public-code`, { code: '5678' })
    expect((await verify(budget, '0000')).body.attempts_left).toBe(4)
    expect((await verify(budget, '5678')).status).toBe(200)
  })

  test('does not end a session that is open', async () => {
    const budget = await aSentBudget(instance)
    const patient = await aVerifiedPatient(instance, budget)
    await setFailures(budget, 4)
    expect((await verify(budget, '0000')).status).toBe(423)
    expect((await patient.get(budget.base)).status).toBe(200)
    expect((await patient.post(`${budget.base}/accept`, ACCEPTANCE)).status).toBe(200)
  })

  test('counts 20 failures an hour per address and link, not the tries that a lock refused', async () => {
    const budget = await aSentBudget(instance)
    await instance.sql`delete from core_rate_limit`
    for (let round = 0; round < 4; round++) {
      for (let i = 0; i < 7; i++) await verify(budget, '0000') // the last two are refused by the lock
      await staff.post(`${BUDGETS}/${budget.id}/unlock-public`)
    }
    const refused = await verify(budget)
    expect(refused.body).toMatchObject({ status: 429, code: 'too_many_requests' })
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
    expect((await instance.anonymous().post(`${unknown}/nobody/verify`, { code: '1234' })).status).toBe(404)
    expect((await linkOf(budget.id)).failed_attempts).toBe(0)
    await instance.sql`delete from core_rate_limit`
  })

  test('outlives a restart', async () => {
    const budget = await aSentBudget(instance)
    await setFailures(budget, 4)
    await verify(budget, '0000')
    await instance.restart()
    expect((await verify(budget)).status).toBe(423)
  })
})

describe('the session', () => {
  test('opens no other budget', async () => {
    const [one, other] = [await aSentBudget(instance), await aSentBudget(instance)]
    const patient = await aVerifiedPatient(instance, one)
    const { value } = [...patient.cookies.values()][0]!
    const answer = await instance.anonymous().get(other.base, { headers: { cookie: `budget_session=${value}` } })
    expect(answer.body).toMatchObject({ status: 401, code: 'code_required' })
  })

  test.each([
    ['after 30 minutes without use', 'last_used_at', '30 minutes 1 second'], ['after 2 hours', 'created_at', '2 hours 1 second']
  ])('ends %s', async (_, column, age) => {
    const budget = await aSentBudget(instance)
    const patient = await aVerifiedPatient(instance, budget)
    await instance.sql`update budget_session set ${instance.sql(column)} = now() - ${age}::interval where budget_id = ${budget.id}`
    expect((await patient.get(budget.base)).body).toMatchObject({ status: 401, code: 'code_required' })
    expect((await patient.post(`${budget.base}/accept`, ACCEPTANCE)).body).toMatchObject({ status: 401, code: 'code_required' })
  })

  test('lives on with each use, touched at most once a minute and not by HEAD', async () => {
    const budget = await aSentBudget(instance)
    const patient = await aVerifiedPatient(instance, budget)
    const lastUse = async () => (await instance.sql`select extract(epoch from now() - last_used_at)::int as age from budget_session where budget_id = ${budget.id}`)[0]!.age
    await instance.sql`update budget_session set last_used_at = now() - interval '50 seconds' where budget_id = ${budget.id}`
    await patient.get(budget.base)
    expect(await lastUse()).toBeGreaterThanOrEqual(50)
    await instance.sql`update budget_session set last_used_at = now() - interval '29 minutes' where budget_id = ${budget.id}`
    await patient.head(budget.base)
    expect(await lastUse()).toBeGreaterThan(1000)
    await patient.get(budget.base)
    expect(await lastUse()).toBeLessThan(10)
  })

  test.each([
    ['the code changes', (budget: SentBudget) => staff.post(`${BUDGETS}/${budget.id}/set-public-code`, { generate: true }), 401],
    ['a new link is minted', (budget: SentBudget) => staff.post(`${BUDGETS}/${budget.id}/resend`, { channel: 'manual', new_link: true }), 404],
    ['the patient closes it', (budget: SentBudget, patient: Caller) => patient.delete(`${budget.base}/session`), 401]
  ])('ends at once when %s', async (_, end, status) => {
    const budget = await aSentBudget(instance)
    const patient = await aVerifiedPatient(instance, budget)
    const cookie = `budget_session=${[...patient.cookies.values()][0]!.value}`
    expect((await end(budget, patient)).status).toBeLessThan(300)
    expect((await instance.anonymous().get(budget.base, { headers: { cookie } })).status).toBe(status)
    expect((await instance.anonymous().post(`${budget.base}/accept`, ACCEPTANCE, { headers: { cookie } })).status).toBe(status)
  })

  test('is closed by its owner: 204, the cookie goes, the log tells', async () => {
    const budget = await aSentBudget(instance)
    const patient = await aVerifiedPatient(instance, budget)
    const { status, headers } = await patient.delete(`${budget.base}/session`)
    expect(status).toBe(204)
    expect(headers.getSetCookie()[0]).toMatch(/^budget_session=;.*Max-Age=0/)
    expect((await logOf(budget.id)).at(-1)).toMatchObject({ action: 'session_closed', actor: 'patient' })
  })

  test('is of no use to another site', async () => {
    const budget = await aSentBudget(instance)
    const patient = await aVerifiedPatient(instance, budget)
    const foreign = await patient.post(`${budget.base}/accept`, ACCEPTANCE, { headers: { origin: 'https://evil.test' } })
    expect(foreign.body).toMatchObject({ status: 403, code: 'cross_origin' })
  })
})

describe('viewing', () => {
  const KEYS = ['number', 'version', 'status', 'clinic', 'patient', 'professional', 'currency', 'locale', 'time_zone', 'valid_until', 'expires_at', 'items',
    'totals', 'patient_notes', 'viewed_at', 'decision', 'signed_pdf', 'content_digest'].sort()

  test('gives the closed list and nothing else, before and after the decision', async () => {
    const budget = await aSentBudget(instance, {
      items: [{ treatment_id: (await aTreatment(await instance.as('admin'))).id, tooth: '16', notes: 'INTERNAL LINE' }], internal_notes: 'INTERNAL', patient_notes: 'For you'
    })
    const patient = await aVerifiedPatient(instance, budget)
    const open = await patient.get(budget.base)
    await patient.post(`${budget.base}/reject`, { reason: 'Too dear', reason_code: 'price' })
    const decided = await patient.get(budget.base)
    for (const { body, bytes } of [open, decided]) {
      expect(Object.keys(body)).toEqual(['data'])
      expect(Object.keys(body.data).sort()).toEqual(KEYS)
      expect(Object.keys(body.data.clinic).sort()).toEqual(['address', 'email', 'logo_url', 'name', 'phone'])
      expect(Object.keys(body.data.patient)).toEqual(['first_name', 'last_name'])
      expect(Object.keys(body.data.professional)).toEqual(['name'])
      expect(Object.keys(body.data.items[0]).sort()).toEqual(['description', 'discounted', 'name', 'original_price', 'price', 'quantity', 'surfaces', 'tooth'])
      expect(Object.keys(body.data.totals).sort()).toEqual(['discount', 'original', 'tax', 'total'])
      expect(Object.keys(body.data.signed_pdf).sort()).toEqual(['sha256', 'status'])
      expect(bytes.toString()).not.toMatch(/INTERNAL|127\.0\.0\.1|lucia@/)
    }
    expect(open.body.data).toMatchObject({ status: 'sent', decision: null, patient_notes: 'For you', totals: { total: '121.00' } })
    expect(decided.body.data.decision).toEqual({ status: 'rejected', decided_at: expect.any(String), signer_name: 'Lucía Muñoz', reason: 'Too dear' })
  })

  test('names the treatments in the reader\'s language; an unknown one is 422', async () => {
    const budget = await aSentBudget(instance)
    const patient = await aVerifiedPatient(instance, budget)
    expect((await patient.get(budget.base)).body.data.items[0].name).toBe('Empaste')
    expect((await patient.get(`${budget.base}?locale=en`)).body.data.items[0].name).toBe('Filling')
    expect((await patient.get(`${budget.base}?locale=xx`)).status).toBe(422)
    expect((await patient.get(`${budget.base}?lang=en`)).status).toBe(422)
  })

  test('stamps and publishes once, however many first reads race; each session\'s read is logged', async () => {
    const budget = await aSentBudget(instance)
    const [one, two] = [await aVerifiedPatient(instance, budget), await aVerifiedPatient(instance, budget)]
    await one.head(budget.base)
    await one.get(budget.base, { headers: { 'sec-purpose': 'prefetch' } })
    expect((await instance.sql`select viewed_at from budget where id = ${budget.id}`)[0]!.viewed_at).toBeNull()
    const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => (i % 2 ? one : two).get(budget.base)))
    const stamps = new Set(answers.map(({ body }) => body.data.viewed_at))
    expect([...stamps]).toEqual([expect.stringMatching(/Z$/)])
    const events = await instance.sql`select payload from core_event where name = 'budget.viewed' and payload->>'budget_id' = ${budget.id}`
    expect(events).toHaveLength(1)
    expect(events[0]!.payload).toMatchObject({ viewed_at: [...stamps][0], budget_number: budget.number, version: 1 })
    const rows = await logOf(budget.id)
    expect(rows.filter(row => row.action === 'viewed')).toHaveLength(1)
    expect(rows.filter(row => row.action === 'read')).toHaveLength(2)
  })

  test('by the staff has no effect', async () => {
    const budget = await aSentBudget(instance)
    const before = (await logOf(budget.id)).length
    const { body, status } = await staff.get(`${BUDGETS}/${budget.id}/preview?locale=en`)
    expect(status).toBe(200)
    expect(Object.keys(body.data).sort()).toEqual(KEYS)
    expect(body.data).toMatchObject({ viewed_at: null, items: [{ name: 'Filling' }] })
    expect(await logOf(budget.id)).toHaveLength(before)
    const draft = await aDraft(instance)
    expect((await staff.get(`${BUDGETS}/${draft.id}/preview`)).body.data).toMatchObject({ status: 'draft', expires_at: null })
  })
})

describe('another clinic', () => {
  test('meets 404 at every call', async () => {
    const budget = await aSentBudget(instance)
    const foreign = await instance.as('admin', await instance.anotherClinic())
    const at = `${BUDGETS}/${budget.id}`
    const answers = await Promise.all([
      foreign.post(`${at}/send`, { channel: 'manual' }), foreign.post(`${at}/resend`, { channel: 'manual' }), foreign.post(`${at}/set-public-code`, { generate: true }),
      foreign.post(`${at}/unlock-public`), foreign.post(`${at}/accept-in-clinic`, ACCEPTANCE), foreign.post(`${at}/reject-in-clinic`, { reason: 'x' }),
      foreign.get(`${at}/preview`), foreign.get(`${at}/access-log`), foreign.get(`${at}/signature`)
    ])
    expect(answers.map(answer => [answer.status, answer.body.code])).toEqual(answers.map(() => [404, 'not_found']))
  })

  test('and so do ids that are none', async () => {
    const answers = await Promise.all([
      staff.post(`${BUDGETS}/nonsense/send`, { channel: 'manual' }), staff.get(`${BUDGETS}/nonsense/access-log`), staff.post(`${BUDGETS}/nonsense/unlock-public`)
    ])
    expect(answers.map(answer => answer.status)).toEqual([404, 404, 404])
  })

  test('and a reader may not write', async () => {
    const budget = await aSentBudget(instance)
    const reader = await instance.as('hygienist')
    for (const [call, body] of [
      ['send', { channel: 'manual' }], ['resend', { channel: 'manual' }], ['set-public-code', { generate: true }], ['unlock-public', {}],
      ['accept-in-clinic', ACCEPTANCE], ['reject-in-clinic', { reason: 'x' }]
    ] as const) {
      expect((await reader.post(`${BUDGETS}/${budget.id}/${call}`, body)).body).toMatchObject({ status: 403, detail: 'Permission denied: budget.write' })
    }
    expect((await reader.get(`${BUDGETS}/${budget.id}/preview`)).status).toBe(200)
  })
})

