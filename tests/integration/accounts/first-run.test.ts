import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeFirstCode, replaceSetupCode } from '../../../server/core/setup/make-code.ts'
import { anInstance, type Instance } from '../../support/instance.ts'

let instance: Instance
beforeAll(async () => {
  instance = await anInstance()
})
afterAll(() => instance.close())

/** The state of the first day: no clinic, no person, no counters, and a runtime that has never seen any. */
beforeEach(async () => {
  await instance.restart(async () => {
    await instance.sql`
      truncate core_clinic, core_user, core_membership, core_session, core_mailed_token, core_setup, core_rate_limit,
        catalog_treatment cascade`
  })
})

const aCode = async () => (await replaceSetupCode(instance.runtime.host))!
const aRequest = (code: string, catalogue: 'none' | 'starter' = 'none') => ({
  code,
  clinic: {
    name: 'Clínica Sol',
    country: 'ES',
    currency: 'EUR',
    time_zone: 'Europe/Madrid',
    locale: 'es',
    prices_include_tax: true
  },
  admin: { email: 'Ana@clinic.example', name: 'Ana Peñalver Ruiz', password: 'four unrelated words here' },
  catalogue
})
const WRONG = '0000-0000-0000-0000-0000-0000-00'
const setUp = (request: object) => instance.anonymous().post('/api/v1/setup', request)
const count = async (table: string) =>
  (await instance.sql<{ n: number }[]>`select count(*)::int as n from ${instance.sql(table)}`)[0]!.n

describe('GET /api/v1/setup', () => {
  test('shows that setup is needed while there is no clinic, and is 404 afterwards', async () => {
    const { status, body } = await instance.anonymous().get('/api/v1/setup')
    expect([status, body.data]).toEqual([200, { needed: true }])
    await setUp(aRequest(await aCode()))
    expect((await instance.anonymous().get('/api/v1/setup')).status).toBe(404)
  })

  test('notices a clinic that another instance has created', async () => {
    expect((await instance.anonymous().get('/api/v1/setup')).status).toBe(200)
    await instance.sql`insert into core_clinic (name, currency, time_zone, locale) values ('C', 'EUR', 'UTC', 'en')`
    expect((await instance.anonymous().get('/api/v1/setup')).status).toBe(404)
  })
})

describe('the set-up code', () => {
  test('has 128 bits in groups of four, and the database keeps only a keyed hash of it', async () => {
    const code = await aCode()
    expect(code).toMatch(/^(?:[0-9A-HJKMNP-TV-Z]{4}-){6}[0-9A-HJKMNP-TV-Z]{2}$/)
    const [row] = await instance.sql`select code_hash, seal from core_setup`
    expect([row!.code_hash.length, row!.seal.length]).toEqual([32, 32])
    expect(JSON.stringify(await instance.sql`select * from core_setup`)).not.toContain(code.replaceAll('-', ''))
  })

  test('is generated once automatically; a new one replaces the old one', async () => {
    const first = await makeFirstCode(instance.runtime.host)
    expect(first).not.toBeNull()
    expect(await makeFirstCode(instance.runtime.host)).toBeNull()
    const second = await aCode()
    expect((await setUp(aRequest(first!))).body.code).toBe('setup_code_wrong')
    expect((await setUp(aRequest(second))).status).toBe(201)
    expect(await makeFirstCode(instance.runtime.host)).toBeNull()
    expect(await replaceSetupCode(instance.runtime.host)).toBeNull()
  })

  test('is accepted with small letters, spaces, no dashes, and letters in place of the digits they resemble', async () => {
    const code = await aCode()
    const typed = ` ${code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')} `
    expect((await instance.anonymous().post('/api/v1/setup/code', { code: typed })).status).toBe(200)
    expect((await setUp(aRequest(typed))).status).toBe(201)
  })

  test('survives a restart', async () => {
    const code = await aCode()
    await instance.restart()
    expect((await setUp(aRequest(code))).status).toBe(201)
  })

  test('is not replaced by a row that SQL inserted or changed', async () => {
    const code = await aCode()
    await instance.sql`update core_setup set created_at = created_at - interval '1 day'`
    expect((await setUp(aRequest(code))).body.code).toBe('setup_code_wrong')
  })
})

describe('wrong codes', () => {
  test('are 403 for the first ten in an hour, then 429, for all codes and callers together', async () => {
    for (let tries = 1; tries <= 10; tries++) {
      const { status, body } = tries % 2 ? await setUp(aRequest(WRONG)) : await instance.anonymous().post('/api/v1/setup/code', { code: WRONG })
      expect([status, body.code]).toEqual([403, 'setup_code_wrong'])
    }
    const right = await aCode()
    const { status, headers } = await setUp(aRequest(right))
    expect([status, Number(headers.get('retry-after')) > 3000]).toEqual([429, true])
    await instance.restart()
    expect((await setUp(aRequest(right))).status).toBe(429)
    await instance.sql`update core_rate_limit set expire = now() where key like 'core:setup-code:%'`
    expect((await setUp(aRequest(right))).status).toBe(201)
  })

  test('sent all at once are compared at most ten times', async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => setUp(aRequest(WRONG))))
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(10)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(30)
  })

  test('are counted, and right ones are not', async () => {
    const code = await aCode()
    for (let tries = 1; tries <= 11; tries++)
      expect((await instance.anonymous().post('/api/v1/setup/code', { code })).status).toBe(200)
    expect((await setUp(aRequest(code))).status).toBe(201)
  })
})

describe('POST /api/v1/setup', () => {
  test('creates the clinic and its administrator, who also administers the instance and is signed in', async () => {
    const visitor = instance.anonymous()
    const { status, body } = await visitor.post('/api/v1/setup', aRequest(await aCode()))
    expect(status).toBe(201)
    const me = (await visitor.get('/me')).body.data
    expect(me.user).toEqual({
      id: body.data.user_id,
      email: 'ana@clinic.example',
      first_name: 'Ana',
      last_name: 'Peñalver Ruiz',
      instance_admin: true
    })
    expect([me.role, me.clinic]).toEqual(['admin', {
      id: body.data.clinic_id, name: 'Clínica Sol', currency: 'EUR', time_zone: 'Europe/Madrid', locale: 'es'
    }])
    const clinic = (await visitor.get('/api/v1/clinic')).body.data
    expect(clinic).toMatchObject({ country: 'ES', prices_include_tax: true })
    const again = await instance.anonymous().post('/api/v1/auth/login', {
      email: 'ana@clinic.example', password: 'four unrelated words here'
    })
    expect(again.status).toBe(200)
    expect(await count('core_setup')).toBe(0)
    const audit = await instance.sql`select action, actor_id, detail from core_audit where clinic_id = ${body.data.clinic_id}`
    expect(audit).toContainEqual({ action: 'setup', actor_id: body.data.user_id, detail: { catalogue: 'none' } })
  })

  test('succeeds for exactly one of twenty simultaneous requests; the others get 404', async () => {
    const code = await aCode()
    const answers = await Promise.all(Array.from({ length: 20 }, () => setUp(aRequest(code, 'starter'))))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 19 }, () => 404)])
    expect([await count('core_clinic'), await count('core_user')]).toEqual([1, 1])
  })

  test('leaves nothing behind when writing fails, and the code stays valid', async () => {
    const request = aRequest(await aCode(), 'starter')
    const { status, body } = await setUp({ ...request, admin: { ...request.admin, password: 'ana@clinic.example' } })
    expect([status, body.errors[0].pointer]).toEqual([422, '/admin/password'])
    expect([await count('core_clinic'), await count('core_user'), await count('catalog_treatment')]).toEqual([0, 0, 0])
    expect((await setUp(request)).status).toBe(201)
  })

  test('gives the typed password to an account that the operator created before', async () => {
    const { createUser } = await import('../../../server/core/people/accounts/create-user.ts')
    const old = { email: 'ana@clinic.example', password: 'another phrase of words', instance_admin: true }
    await createUser(instance.runtime.host, old, { by: 'operator' })
    expect((await setUp(aRequest(await aCode()))).status).toBe(201)
    const signIn = (password: string) =>
      instance.anonymous().post('/api/v1/auth/login', { email: 'ana@clinic.example', password })
    expect((await signIn('another phrase of words')).status).toBe(401)
    expect((await signIn('four unrelated words here')).status).toBe(200)
  })
})

describe('the starter catalogue', () => {
  test('has about forty treatments in the clinic\'s language, at 0.00 and inactive until they have a price', async () => {
    const visitor = instance.anonymous()
    await visitor.post('/api/v1/setup', aRequest(await aCode(), 'starter'))
    const { data, total } = (await visitor.get('/api/v1/catalog/treatments?page_size=100')).body
    expect(total).toBeGreaterThanOrEqual(38)
    expect(new Set(data.map((row: { unit_price: string, active: boolean }) => `${row.unit_price} ${row.active}`)))
      .toEqual(new Set(['0.00 false']))
    expect(new Set(data.flatMap((row: { name: object }) => Object.keys(row.name)))).toEqual(new Set(['es']))
    const whitening = data.find((row: { code: string }) => row.code === 'AES-01')
    expect(whitening).toMatchObject({ name: { es: 'Blanqueamiento en clínica' }, vat: '21', counts: 'once' })
    const fillings = data.filter((row: { surfaces: number | null }) => row.surfaces !== null)
    expect(fillings.map(({ code, counts, surfaces }: Record<string, unknown>) => [code, counts, surfaces]))
      .toEqual([['RES-01', 'tooth', 1], ['RES-02', 'tooth', 2], ['RES-03', 'tooth', 3]])
    const path = `/api/v1/catalog/treatments/${whitening.id}`
    expect((await visitor.patch(path, { unit_price: '300.00' })).body.data).toMatchObject({ active: true })
    expect((await visitor.patch(path, { active: false })).body.data.active).toBe(false)
    expect((await visitor.patch(path, { unit_price: '310.00' })).body.data.active).toBe(false)
  })

  test('can be declined, which leaves the catalogue empty', async () => {
    const visitor = instance.anonymous()
    await visitor.post('/api/v1/setup', aRequest(await aCode(), 'none'))
    expect((await visitor.get('/api/v1/catalog/treatments')).body.total).toBe(0)
  })
})

describe('checking the code', () => {
  test('returns the suggested settings for each country', async () => {
    const { body } = await instance.anonymous().post('/api/v1/setup/code', { code: await aCode() })
    const of = (code: string) => body.data.countries.find((country: { code: string }) => country.code === code)
    expect(of('ES')).toMatchObject({ currency: 'EUR', language: 'es' })
    expect(of('ES').time_zones[0]).toBe('Europe/Madrid')
    expect(of('BR')).toMatchObject({ currency: 'BRL', language: 'pt' })
    expect(of('US').time_zones[0]).toBe('America/New_York')
    expect(of('MA')).toMatchObject({ currency: 'MAD', language: 'ar' })
  })
})

describe('a test message', () => {
  test('is sent to the caller, and the response has the way in which it was sent', async () => {
    const visitor = instance.anonymous()
    await visitor.post('/api/v1/setup', aRequest(await aCode()))
    expect((await visitor.get('/api/v1/clinic/mail')).body.data).toEqual({ via: 'file', from: null })
    const { status, body } = await visitor.post('/api/v1/clinic/mail/test')
    expect([status, body.data]).toEqual([200, { to: 'ana@clinic.example', via: 'file' }])
  })
})
