import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aDraft, aTreatment, BUDGETS } from '../../support/builders.ts'
import { createCaller, type Caller } from '../../support/caller.ts'
import { anInstance, type Instance } from '../../support/instance.ts'

const PATIENTS = '/api/v1/clinical/patients'
const TOKENS = '/api/v1/tokens'
const USERS = '/api/v1/users'
const LINK = /#[\w-]{20,}/
const ANA = { first_name: 'Ana', last_name: 'Ruiz' }

let instance: Instance
let staff: Caller

beforeAll(async () => {
  instance = await anInstance()
  staff = await instance.as('admin')
})
afterAll(() => instance.close())

const keyed = (key: string = randomUUID()) => ({ headers: { 'idempotency-key': key } })
const replayed = (answer: { headers: Headers }) => answer.headers.get('idempotency-replayed')
const count = async () => (await staff.get(PATIENTS)).body.total as number

describe('a POST with an Idempotency-Key', () => {
  test('returns the same status and body when repeated, with Idempotency-Replayed, and changes nothing', async () => {
    const key = keyed()
    const before = await count()
    const first = await staff.post(PATIENTS, ANA, key)
    const again = await staff.post(PATIENTS, ANA, key)
    expect([first.status, replayed(first)]).toEqual([201, null])
    expect([again.status, replayed(again)]).toEqual([201, 'true'])
    expect(again.bytes).toEqual(first.bytes)
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'))
    expect(await count()).toBe(before + 1)
  })

  test('is done each time if the header is missing', async () => {
    const before = await count()
    await staff.post(PATIENTS, ANA)
    await staff.post(PATIENTS, ANA)
    expect(await count()).toBe(before + 2)
  })

  test('with another body is 422 idempotency_mismatch, and bodies are compared byte by byte', async () => {
    const key = keyed()
    await staff.post(PATIENTS, ANA, key)
    for (const raw of [JSON.stringify({ ...ANA, last_name: 'Gil' }), ` ${JSON.stringify(ANA)}`, ''])
      expect(await staff.post(PATIENTS, undefined, { headers: { ...key.headers, 'content-type': 'application/json' }, raw }))
        .toMatchObject({ status: 422, body: { code: 'idempotency_mismatch' } })
  })

  test('is stored separately for each path, user, token and clinic', async () => {
    const key = keyed()
    const before = await count()
    await staff.post(PATIENTS, ANA, key)
    const receptionist = await instance.as('receptionist')
    expect(replayed(await receptionist.post(PATIENTS, ANA, key))).toBeNull()
    const { token } = (await staff.post(TOKENS, { name: 'One', scopes: ['clinical.write'] })).body.data
    const program = createCaller(instance.url, { bearer: token })
    expect(replayed(await program.post(PATIENTS, ANA, key))).toBeNull()
    expect(replayed(await program.post(PATIENTS, ANA, key))).toBe('true')
    expect(await count()).toBe(before + 3)
    expect((await staff.post('/api/v1/clinical/professionals', ANA, key)).body.code).toBe('validation_failed')
    const stranger = await instance.as('admin', await instance.anotherClinic())
    expect(replayed(await stranger.post(PATIENTS, ANA, key))).toBeNull()
  })

  test('stores refusals too, even if the state that caused one may have changed', async () => {
    const draft = await aDraft(instance, { professional_id: null })
    const key = keyed()
    const first = await staff.post(`${BUDGETS}/${draft.id}/send`, { channel: 'manual' }, key)
    expect(first).toMatchObject({ status: 409, body: { code: 'no_professional' } })
    const again = await staff.post(`${BUDGETS}/${draft.id}/send`, { channel: 'manual' }, key)
    expect([again.status, replayed(again), again.bytes.toString()]).toEqual([409, 'true', first.bytes.toString()])
  })

  test('checks access first, so that a stored response is only sent to permitted callers', async () => {
    const key = keyed()
    const treatment = { code: 'IDEM-1', name: { es: 'Empaste' }, unit_price: '10.00', vat: '0' }
    const { id, token } = (await staff.post(TOKENS, { name: 'x', scopes: ['catalog.write'] })).body.data
    const program = createCaller(instance.url, { bearer: token })
    expect((await program.post('/api/v1/catalog/treatments', treatment, key)).status).toBe(201)
    await staff.delete(`${TOKENS}/${id}`)
    expect((await program.post('/api/v1/catalog/treatments', treatment, key)).status).toBe(401)
    expect((await (await instance.as('hygienist')).post('/api/v1/catalog/treatments', treatment, key)).status).toBe(403)
  })

  test('is 409 idempotency_running while the first runs, even for many at once', async () => {
    const key = keyed()
    const before = await count()
    const answers = await Promise.all(Array.from({ length: 20 }, () => staff.post(PATIENTS, ANA, key)))
    expect(await count()).toBe(before + 1)
    expect(answers.filter(answer => answer.status === 201 && !replayed(answer))).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status !== 201))
      expect(answer).toMatchObject({ status: 409, body: { code: 'idempotency_running' } })
    expect(new Set(answers.filter(({ status }) => status === 201).map(({ bytes }) => bytes.toString())).size).toBe(1)
  })

  test('is shared by all instances', async () => {
    const other = await anInstance({ database_url: instance.runtime.host.config.database_url! })
    try {
      const { token } = (await staff.post(TOKENS, { name: 'Two', scopes: ['clinical.write'] })).body.data
      const programs = [instance, other].map(({ url }) => createCaller(url, { bearer: token }))
      const key = keyed()
      const before = await count()
      const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => programs[n % 2]!.post(PATIENTS, ANA, key)))
      expect(answers.filter(({ status }) => ![201, 409].includes(status))).toEqual([])
      expect(await count()).toBe(before + 1)
      const last = await Promise.all(programs.map(program => program.post(PATIENTS, ANA, key)))
      expect(last.map(replayed)).toEqual(['true', 'true'])
    } finally {
      await other.close()
    }
  })

  test('of a process that died blocks for seconds, not for a day', async () => {
    const key = keyed()
    await staff.post(PATIENTS, ANA, key)
    // The state that a killed process leaves.
    await instance.sql`update core_idempotency set answer = null, running_until = now() + interval '30 seconds'
      where created_at = (select max(created_at) from core_idempotency)`
    expect((await staff.post(PATIENTS, ANA, key)).body.code).toBe('idempotency_running')
    await instance.sql`update core_idempotency set running_until = now() - interval '1 second' where answer is null`
    const again = await staff.post(PATIENTS, ANA, key)
    expect([again.status, replayed(again)]).toEqual([201, null])
    expect(replayed(await staff.post(PATIENTS, ANA, key))).toBe('true')
  })

  test('is kept over a restart, and for 24 hours', async () => {
    const key = keyed()
    const first = await staff.post(PATIENTS, ANA, key)
    await instance.restart()
    expect((await staff.post(PATIENTS, ANA, key)).bytes).toEqual(first.bytes)
    const newest = instance.sql`created_at = (select max(created_at) from core_idempotency)`
    await instance.sql`update core_idempotency set created_at = now() - interval '23 hours 59 minutes' where ${newest}`
    expect(replayed(await staff.post(PATIENTS, ANA, key))).toBe('true')
    await instance.sql`update core_idempotency set created_at = now() - interval '24 hours 1 minute'`
    const fresh = await staff.post(PATIENTS, ANA, key)
    expect(replayed(fresh)).toBeNull()
    expect(fresh.body.data.id).not.toBe(first.body.data.id)
    const { pruneIdempotency } = await import('../../../server/core/db/prune.ts')
    await pruneIdempotency(instance.runtime.host.db)
    const [{ n } = { n: 0 }] = await instance.sql<{ n: number }[]>`select count(*)::int as n from core_idempotency`
    expect(n).toBe(1)
  })

  test('leaves out what is shown once, marks this, and stores it nowhere', async () => {
    const key = keyed()
    const body = { name: 'Once', scopes: ['budget.read'] }
    const first = await staff.post(TOKENS, body, key)
    const { token, ...rest } = first.body.data
    expect(token).toMatch(/^svct_/)
    const again = await staff.post(TOKENS, body, key)
    expect([again.status, replayed(again), again.body.data]).toEqual([
      201, 'true', { ...rest, notice: 'Shown once, in the first answer, and left out here: token.' }
    ])
    const rows = await instance.sql`select to_jsonb(row) as row from core_idempotency row`
    expect(JSON.stringify(rows)).not.toContain(first.body.data.token)
    expect((await staff.get(TOKENS)).body.data.filter((row: { name: string }) => row.name === 'Once')).toHaveLength(1)
  })

  test('leaves out a webhook\'s secret and a generated code, but nothing else', async () => {
    const hook = { url: 'https://93.184.216.34/hook', events: ['budget.accepted'] }
    const draft = await aDraft(instance)
    const calls: [string, object, string | null][] = [
      ['/api/v1/webhooks', hook, 'secret'],
      [`${BUDGETS}/${draft.id}/set-public-code`, { generate: true }, 'public_code'],
      [`${BUDGETS}/${draft.id}/set-public-code`, { code: '482913' }, null],
      [`${BUDGETS}/${(await aDraft(instance)).id}/send`, { channel: 'manual' }, 'public_code'],
      [`${BUDGETS}/${draft.id}/send`, { channel: 'manual' }, null]
    ]
    for (const [path, body, secret] of calls) {
      const key = keyed()
      const first = await staff.post(path, body, key)
      const again = await staff.post(path, body, key)
      expect([path, again.status, replayed(again)]).toEqual([path, first.status, 'true'])
      if (secret === null) expect(again.bytes.toString()).toBe(first.bytes.toString())
      else {
        const { [secret]: shown, ...rest } = first.body.data
        expect(shown).toEqual(expect.any(String))
        expect(again.body.data).toEqual({ ...rest, notice: expect.stringContaining(secret) })
      }
    }
  })

  test('leaves out the links that give access to an account, at any depth', async () => {
    const invited = { email: 'one@example.com', first_name: 'Ada', last_name: 'Asked', role: 'dentist' }
    const { id } = (await staff.post(USERS, invited)).body.data
    const other = { ...invited, email: 'two@example.com' }
    const dentist = (await (await instance.as('dentist')).get('/api/v1/me')).body.data.user.id
    const calls: [string, object | undefined, string][] = [
      [USERS, other, 'invitation.url'],
      [`${USERS}/${id}/invitation`, undefined, 'url'],
      [`${USERS}/${dentist}/enrolment-link`, undefined, 'url']
    ]
    for (const [path, body, secret] of calls) {
      const key = keyed()
      const first = await staff.post(path, body, key)
      const again = await staff.post(path, body, key)
      expect([path, first.bytes.toString()]).toEqual([path, expect.stringMatching(LINK)])
      expect([path, again.status, replayed(again)]).toEqual([path, first.status, 'true'])
      expect([path, again.bytes.toString()]).toEqual([path, expect.not.stringMatching(LINK)])
      expect(again.body.data.notice).toBe(`Shown once, in the first answer, and left out here: ${secret}.`)
    }
  })

  test('does not return a response that SQL moved to another request', async () => {
    const [one, two] = [keyed(), keyed()]
    await staff.post(PATIENTS, ANA, one)
    const [from] = await instance.sql`select id, answer from core_idempotency order by created_at desc limit 1`
    await staff.post(PATIENTS, ANA, two)
    await instance.sql`update core_idempotency set answer = ${from!.answer}
      where created_at = (select max(created_at) from core_idempotency)`
    expect((await staff.post(PATIENTS, ANA, two)).status).toBe(500)
  })

  test('stores no responses of 5xx', async () => {
    const key = keyed()
    const treatment = await aTreatment(staff)
    const body = { patient_id: (await staff.post(PATIENTS, ANA)).body.data.id, items: [{ treatment_id: treatment.id }] }
    await instance.sql`alter table budget_item rename to budget_item_away`
    try {
      expect((await staff.post(BUDGETS, body, key)).status).toBe(500)
    } finally {
      await instance.sql`alter table budget_item_away rename to budget_item`
    }
    const again = await staff.post(BUDGETS, body, key)
    expect([again.status, replayed(again)]).toEqual([201, null])
  })

  test('needs a key of 1 to 100 printable characters', async () => {
    const longest = `${'~ '.repeat(49)}!x`
    expect((await staff.post(PATIENTS, ANA, keyed(longest))).status).toBe(201)
    for (const key of ['', 'x'.repeat(101), 'tab\there', 'ñ'])
      expect(await staff.post(PATIENTS, ANA, keyed(key))).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
  })

  test('stores nothing for anonymous callers, and a key has no effect with other methods', async () => {
    const key = keyed()
    const { id } = (await staff.post(PATIENTS, ANA)).body.data
    const patch = (last_name: string) => staff.patch(`${PATIENTS}/${id}`, { last_name }, key)
    await patch('Gil')
    expect((await patch('Sanz')).body.data.last_name).toBe('Sanz')
    const answer = await instance.anonymous().post('/api/v1/public/documents/check', { sha256: '0'.repeat(64) }, key)
    expect([answer.status, replayed(answer)]).toEqual([200, null])
  })

  test('is documented in the OpenAPI document for every POST for staff', async () => {
    const { paths } = (await instance.anonymous().get('/api/v1/openapi.json')).body
    type Operation = { security: object[], parameters?: { name: string, in: string }[] }
    for (const [path, { post }] of Object.entries(paths as Record<string, { post?: Operation }>)) {
      const isStaff = post?.security.some(way => 'bearer' in way) ?? false
      const named = post?.parameters?.some(parameter => parameter.in === 'header' && parameter.name === 'Idempotency-Key')
      expect([path, named ?? false]).toEqual([path, isStaff])
    }
  })

  test('leaves every secret out of a repeated response, according to the OpenAPI document', async () => {
    const { paths } = (await instance.anonymous().get('/api/v1/openapi.json')).body
    const secrets = ['token', 'secret', 'otpauth_url', 'recovery_codes', 'public_code']
    const found: string[] = []
    for (const [path, { post }] of Object.entries(paths as Record<string, { post?: any }>)) {
      if (!post?.parameters?.some(({ name }: { name: string }) => name === 'Idempotency-Key')) continue
      const { properties: { data } = {} as any } = (post.responses[201] ?? post.responses[200])?.content?.['application/json']?.schema ?? {}
      const shown = Object.keys(data?.properties ?? {}).filter(name => secrets.includes(name))
      if (shown.length === 0) continue
      found.push(path)
      expect([path, Object.keys(data.properties).includes('notice'), data.required.filter((name: string) => shown.includes(name))])
        .toEqual([path, true, []])
    }
    expect(found.length).toBeGreaterThan(5)
  })
})
