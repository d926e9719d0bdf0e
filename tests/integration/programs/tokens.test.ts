import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { checkSealedRows } from '../../../server/core/people/seals/sealed-rows-advice.ts'
import { createToken } from '../../../server/core/people/tokens/create-token.ts'
import { aDraft, aPatient, BUDGETS } from '../../support/builders.ts'
import { createCaller, type Caller } from '../../support/caller.ts'
import { sealAgain } from '../../support/documents/seals.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { aUser, signedIn } from '../../support/accounts.ts'

const TOKENS = '/api/v1/tokens'
const PATIENTS = '/api/v1/clinical/patients'
const YEAR = 365 * 86_400_000

let instance: Instance
let staff: Caller

beforeAll(async () => {
  instance = await anInstance()
  staff = await instance.as('admin')
})
afterAll(() => instance.close())
/** Makes the tokens of earlier tests older, because only 20 an hour are allowed. */
const ageTokens = () => instance.sql`update core_clinic_token set created_at = created_at - interval '2 hours'`
beforeEach(() => ageTokens())

async function aToken(scopes: string[], by = staff, fields: object = {}) {
  const { status, body } = await by.post(TOKENS, { name: 'Practice software', scopes, ...fields })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return { ...body.data, caller: createCaller(instance.url, { bearer: body.data.token }) } as
    { id: string, token: string, expires_at: string, caller: Caller }
}

/** An administrator of the clinic, and a token of theirs. */
async function anAdminWithToken(scopes: string[]) {
  const user = await aUser(instance, { role: 'admin' })
  const browser = await signedIn(instance, user.email)
  return { user, browser, made: await aToken(scopes, browser) }
}

describe('a clinic\'s token', () => {
  test('is svct_ and 256 bits, shown once, and stored as a keyed hash', async () => {
    const { id, token } = await aToken(['budget.read'])
    expect(token).toMatch(/^svct_[\w-]{43}$/)
    const { body } = await staff.get(TOKENS)
    expect(JSON.stringify(body)).not.toContain(token)
    expect(body.data.find((row: { id: string }) => row.id === id)).toEqual({
      id,
      name: 'Practice software',
      scopes: ['budget.read'],
      created_at: expect.any(String),
      created_by: { id: expect.any(String), name: 'Rosa admin' },
      expires_at: expect.any(String),
      last_used_at: null
    })
    const [row] = await instance.sql`select * from core_clinic_token where id = ${id}`
    const { createHash } = await import('node:crypto')
    expect(JSON.stringify(row)).not.toContain(token)
    expect(row!.token_hash).not.toEqual(createHash('sha256').update(token).digest())
  })

  test('has the rights of its scopes and no others, in its clinic', async () => {
    const { caller } = await aToken(['clinical.read', 'clinical.write'])
    const { id } = await aPatient(caller)
    expect((await caller.get(`${PATIENTS}/${id}`)).status).toBe(200)
    expect(await caller.get(BUDGETS)).toMatchObject({
      status: 403, body: { code: 'permission_denied', detail: 'Permission denied: budget.read' }
    })
    const me = (await caller.get('/me')).body.data
    expect(me).toMatchObject({ permissions: ['clinical.read', 'clinical.write'], clinic: { id: instance.clinic.id } })
    const stranger = await instance.as('admin', await instance.anotherClinic())
    expect((await stranger.get(`${PATIENTS}/${id}`)).status).toBe(404)
  })

  test('loses a right when its creator loses it, and gets it again with them', async () => {
    const { user, made } = await anAdminWithToken(['catalog.write', 'budget.read'])
    const add = () => made.caller.post('/api/v1/catalog/treatments', {})
    expect((await add()).status).toBe(422)
    const setRole = async (role: string) => {
      await instance.sql`update core_membership set role = ${role} where user_id = ${user.id}`
      await sealAgain(instance.sql, 'membership')
    }
    await setRole('receptionist')
    expect(await add()).toMatchObject({ status: 403, body: { detail: 'Permission denied: catalog.write' } })
    expect((await made.caller.get(BUDGETS)).status).toBe(200)
    await setRole('admin')
    expect((await add()).status).toBe(422)
  })

  test('ends with its creator\'s membership, and with their account', async () => {
    const { user, made } = await anAdminWithToken(['budget.read'])
    expect((await made.caller.get(BUDGETS)).status).toBe(200)
    expect((await staff.patch(`/api/v1/users/${user.id}`, { active: false })).status).toBe(200)
    expect((await made.caller.get(BUDGETS)).status).toBe(401)
  })

  test('expires in a year, or at a given time within five years', async () => {
    const { expires_at } = await aToken(['budget.read'])
    expect(Math.abs(Date.parse(expires_at) - Date.now() - YEAR)).toBeLessThan(2 * 86_400_000)
    const inFour = new Date(Date.now() + 4 * YEAR).toISOString()
    expect((await aToken(['budget.read'], staff, { expires_at: inFour })).expires_at).toBe(inFour)
    for (const wrong of [new Date(Date.now() + 5.1 * YEAR).toISOString(), new Date(Date.now() - 1000).toISOString(), 'soon'])
      expect(await staff.post(TOKENS, { name: 'x', scopes: ['budget.read'], expires_at: wrong })).toMatchObject({
        status: 422, body: { errors: [{ pointer: '/expires_at' }] }
      })
  })

  test('opens nothing after it expired or was revoked', async () => {
    const { id, caller } = await aToken(['budget.read'])
    expect((await staff.delete(`${TOKENS}/${id}`)).status).toBe(204)
    expect((await caller.get(BUDGETS)).status).toBe(401)
    expect((await staff.delete(`${TOKENS}/${id}`)).status).toBe(404)
    expect((await staff.get(TOKENS)).body.data.map((row: { id: string }) => row.id)).not.toContain(id)

    const old = await aToken(['budget.read'])
    await instance.sql`update core_clinic_token set expires_at = now() - interval '1 second' where id = ${old.id}`
    expect((await old.caller.get(BUDGETS)).status).toBe(401)
  })

  test('is refused with scopes for which its creator has no right', async () => {
    for (const scope of ['modules.manage', 'metrics.read', 'budget.*', '*', 'nothing.at_all'])
      expect(await staff.post(TOKENS, { name: 'x', scopes: ['budget.read', scope] })).toMatchObject({
        status: 422, body: { errors: [{ pointer: '/scopes/1' }] }
      })
    expect((await staff.post(TOKENS, { name: 'x', scopes: [] })).status).toBe(422)
    expect((await staff.post(TOKENS, { name: '', scopes: ['budget.read'] })).status).toBe(422)
  })

  test('can be created, seen and revoked only with clinic.manage', async () => {
    const { id } = await aToken(['budget.read'])
    const dentist = await instance.as('dentist')
    for (const answer of [
      await dentist.get(TOKENS), await dentist.post(TOKENS, { name: 'x', scopes: ['budget.read'] }),
      await dentist.delete(`${TOKENS}/${id}`)
    ]) expect(answer).toMatchObject({ status: 403, body: { detail: 'Permission denied: clinic.manage' } })
  })

  test('can neither create tokens nor manage users, nor do what needs a person', async () => {
    const { permissions } = (await staff.get('/me')).body.data
    const { id, caller } = await aToken(permissions)
    const refused = { status: 403, body: { code: 'permission_denied' } }
    expect(await caller.post(TOKENS, { name: 'x', scopes: ['budget.read'] })).toMatchObject(refused)
    expect(await caller.get(TOKENS)).toMatchObject(refused)
    expect(await caller.delete(`${TOKENS}/${id}`)).toMatchObject(refused)
    expect(await caller.get('/api/v1/users')).toMatchObject(refused)
    expect(await caller.post('/api/v1/users', {
      email: 'new@clinic.test', first_name: 'New', last_name: 'One', role: 'admin'
    })).toMatchObject(refused)
    expect(await caller.post('/api/v1/auth/password', { current: 'x', new: 'a new password for it' })).toMatchObject(refused)
    expect(await caller.post('/api/v1/auth/switch-clinic', { clinic_id: instance.clinic.id })).toMatchObject(refused)
    expect(await caller.post('/api/v1/auth/logout')).toMatchObject(refused)
    expect(await caller.patch('/me', { locale: 'en' }).then(({ status }) => status)).not.toBe(200)
    expect(await caller.get('/api/v1/modules')).toMatchObject(refused)
    const draft = await aDraft(instance)
    for (const what of ['accept-in-clinic', 'reject-in-clinic', 'hand-over', 'set-public-code', 'unlock-public'])
      expect(await caller.post(`${BUDGETS}/${draft.id}/${what}`, {})).toMatchObject(refused)
    expect((await caller.get('/api/v1/clinic')).status).toBe(200)
  })

  test('cannot weaken what protects the clinic, even with all scopes, but can change its other settings', async () => {
    const { caller } = await aToken(['clinic.manage'])
    for (const change of [{ second_factor: 'none' }, { ip_policy: 'none' }, { retention: { audit_months: 1 } }]) {
      const [field] = Object.keys(change)
      const { status, body } = await caller.patch('/api/v1/clinic', { phone: '+34 900 000 001', ...change })
      expect([status, body.code]).toEqual([403, 'permission_denied'])
      expect(body.detail).toBe(`Only a person can change this, not a token: ${field}`)
      expect((await staff.patch('/api/v1/clinic', change)).status).toBe(200)
    }
    expect((await caller.patch('/api/v1/clinic', { phone: '+34 900 000 002' })).status).toBe(200)
    expect((await staff.get('/api/v1/clinic')).body.data.phone).toBe('+34 900 000 002')
  })

  test('records its last use to the minute', async () => {
    const { id, caller } = await aToken(['budget.read'])
    await caller.get(BUDGETS)
    const used = async () =>
      (await staff.get(TOKENS)).body.data.find((row: { id: string }) => row.id === id).last_used_at as string
    expect(await used()).toMatch(/:00\.000Z$/)
    expect(Math.abs(Date.parse(await used()) - Date.now())).toBeLessThan(120_000)
  })

  test('opens nothing if SQL created it, moved it or gave it more rights', async () => {
    const { id, caller } = await aToken(['budget.read'])
    const other = await instance.anotherClinic()
    for (const change of [
      instance.sql`scopes = ${['budget.read', 'budget.write']}`,
      instance.sql`clinic_id = ${other.id}`,
      instance.sql`expires_at = expires_at + interval '1 year'`,
      instance.sql`name = 'another'`
    ]) {
      const [before] = await instance.sql`select * from core_clinic_token where id = ${id}`
      await instance.sql`update core_clinic_token set ${change} where id = ${id}`
      expect((await caller.get(BUDGETS)).status).toBe(401)
      expect((await checkSealedRows(instance.runtime.host.db, instance.runtime.host)).map(({ object }) => object))
        .toContain(`token ${id}`)
      const { scopes, clinic_id, expires_at, name } = before!
      await instance.sql`update core_clinic_token set ${instance.sql({ scopes, clinic_id, expires_at, name })} where id = ${id}`
      expect((await caller.get(BUDGETS)).status).toBe(200)
    }
  })

  test('acts as its creator, and the budget\'s log names the token', async () => {
    const { id, caller } = await aToken(['budget.read', 'budget.write'])
    const draft = await aDraft(instance)
    expect((await caller.post(`${BUDGETS}/${draft.id}/send`, { channel: 'manual' })).status).toBe(200)
    const me = (await staff.get('/me')).body.data.user
    const rows = (await staff.get(`${BUDGETS}/${draft.id}/access-log`)).body.data
    expect(rows.find((row: { action: string }) => row.action === 'link_sent')).toMatchObject({
      actor: 'staff', user_id: me.id, detail: { token_id: id }
    })
  })

  test('does not change the tokens of the instance', async () => {
    const { token } = await createToken(instance.runtime.host, { scope: 'admin' })
    expect((await createCaller(instance.url, { bearer: token }).get('/api/v1/modules')).status).toBe(200)
    expect((await createCaller(instance.url, { bearer: token }).get(BUDGETS)).status).toBe(403)
  })

  test('is one of 20 that a clinic may create in an hour, revoked ones included, and one of 50 active', async () => {
    const clinic = await instance.anotherClinic()
    const admin = await instance.as('admin', clinic)
    const make = () => admin.post(TOKENS, { name: 'x', scopes: ['budget.read'] })
    const first = await make()
    await admin.delete(`${TOKENS}/${first.body.data.id}`)
    const answers = await Promise.all(Array.from({ length: 24 }, make))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(19)
    const [refused] = answers.filter(({ status }) => status !== 201)
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_new_tokens' } })
    expect(Number(refused!.headers.get('retry-after'))).toBeGreaterThan(3500)

    await ageTokens()
    for (let count = 19; count < 38; count++) expect((await make()).status).toBe(201)
    await ageTokens()
    const last = await Promise.all(Array.from({ length: 15 }, make))
    expect(last.filter(({ status }) => status === 201)).toHaveLength(12)
    expect(last.find(({ status }) => status !== 201)).toMatchObject({ status: 409, body: { code: 'too_many_tokens' } })
    expect((await staff.post(TOKENS, { name: 'x', scopes: ['budget.read'] })).status).toBe(201) // in another clinic

    await instance.sql`update core_clinic_token set expires_at = now() - interval '1 day'
      where id = (select id from core_clinic_token where clinic_id = ${clinic.id} and revoked_at is null limit 1)`
    expect((await make()).status).toBe(201) // an expired one isn't active
  })

  test('is logged in the audit log when it is created and revoked', async () => {
    const { id, token } = await aToken(['budget.read'])
    await staff.delete(`${TOKENS}/${id}`)
    const rows = await instance.sql`select action, actor_type, detail from core_audit where target_id = ${id} order by seq`
    expect(rows.map(({ action, actor_type }) => [action, actor_type]))
      .toEqual([['token_created', 'user'], ['token_revoked', 'user']])
    expect(JSON.stringify(rows)).not.toContain(token)
  })
})
