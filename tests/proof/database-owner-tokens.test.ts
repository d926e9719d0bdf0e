import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sealLinks } from '../../layers/budget/server/services/link/seal-links.ts'
import { createToken } from '../../server/core/people/tokens/create-token.ts'
import { createUser } from '../../server/core/people/accounts/create-user.ts'
import { deactivateAccount } from '../../server/core/people/accounts/deactivate-account.ts'
import { issueMailedToken } from '../../server/core/people/mail/mailed-tokens.ts'
import { sendPasswordReset } from '../../server/core/people/mail/mails.ts'
import { revokeToken } from '../../server/core/people/tokens/revoke-token.ts'
import { sealEarlierRows } from '../../server/core/people/seals/seal-earlier-rows.ts'
import { checkSealedRows } from '../../server/core/people/seals/sealed-rows-advice.ts'
import { aUser, LOGIN, signedIn } from '../support/accounts.ts'
import { ACCEPTANCE, aSentBudget, aVerifiedPatient, type SentBudget } from '../support/builders.ts'
import { createCaller } from '../support/caller.ts'
import { anInstance, type Instance } from '../support/instance.ts'
import { PASSWORD } from '../support/people.ts'

/** The attacker has the database's role and a copy of the sources, but not the secret. */
let instance: Instance
beforeAll(async () => {
  instance = await anInstance()
})
afterAll(() => instance.close())

const sha256 = (text: string) => createHash('sha256').update(text).digest()
const aToken = () => randomBytes(32).toString('base64url')
const as = (cookie: string) => ({ headers: { cookie } })

describe('a patient\'s link', () => {
  let budget: SentBudget
  beforeAll(async () => {
    budget = await aSentBudget(instance)
  })
  const accept = (base: string, cookie: string) =>
    instance.anonymous().post(`${base}/accept`, ACCEPTANCE, as(`budget_session=${cookie}`))
  const statusOf = async (id: string) => (await instance.sql`select status from budget where id = ${id}`)[0]!.status

  test('a session that SQL made can\'t accept a budget', async () => {
    const cookie = aToken()
    await instance.sql`insert into budget_session (session_hash, budget_id, clinic_id) values (${sha256(cookie)}, ${budget.id}, ${instance.clinic.id})`
    expect((await accept(budget.base, cookie)).status).toBe(401)
    expect(await statusOf(budget.id)).toBe('sent')
  })

  test('a session that SQL moved to another budget opens neither of the two', async () => {
    const own = await aSentBudget(instance)
    const patient = await aVerifiedPatient(instance, own)
    const cookie = [...patient.cookies.values()][0]!.value
    await instance.sql`update budget_session set budget_id = ${budget.id} where budget_id = ${own.id}`
    expect((await accept(budget.base, cookie)).status).toBe(401)
    expect((await accept(own.base, cookie)).status).toBe(401)
  })

  test('a session whose start SQL moved does not last longer', async () => {
    const own = await aSentBudget(instance)
    const patient = await aVerifiedPatient(instance, own)
    await instance.sql`update budget_session set created_at = created_at + interval '1 hour' where budget_id = ${own.id}`
    expect((await patient.post(`${own.base}/accept`, ACCEPTANCE)).status).toBe(401)
  })

  test('an ended session is deleted: the database keeps nothing that could be restored', async () => {
    const own = await aSentBudget(instance)
    await aVerifiedPatient(instance, own)
    await (await instance.as('admin')).post(`/api/v1/budget/budgets/${own.id}/set-public-code`, { generate: true })
    expect(await instance.sql`select from budget_session where budget_id = ${own.id}`).toHaveLength(0)
  })

  test('a known link that SQL copied into another budget\'s row opens nothing there', async () => {
    const own = await aSentBudget(instance)
    const [row]
      = await instance.sql`select token_hash, token_seal, code_hash, code_seal from budget_link where budget_id = ${own.id}`
    await instance.sql`update budget_link set token_hash = null where budget_id = ${own.id}`
    await instance.sql`update budget_link set ${instance.sql(row!)} where budget_id = ${(await aSentBudget(instance)).id}`
    expect((await instance.anonymous().post(`${own.base}/verify`, { code: own.code })).status).toBe(404)
  })

  test('a code\'s hash that SQL copied from another budget opens nothing, and the code counts as wrong', async () => {
    const [own, theirs] = [await aSentBudget(instance, {}, { code: '135792' }), await aSentBudget(instance)]
    await instance.sql`
      update budget_link as stolen set code_hash = own.code_hash, code_seal = own.code_seal from budget_link as own
      where stolen.budget_id = ${theirs.id} and own.budget_id = ${own.id}`
    const { status, body } = await instance.anonymous().post(`${theirs.base}/verify`, { code: '135792' })
    expect({ status, code: body.code }).toEqual({ status: 401, code: 'code_wrong' })
  })
})

describe('an upgrade from a release that stored plain digests', () => {
  test('keeps earlier links and codes valid, but not a row that SQL adds later', async () => {
    const budget = await aSentBudget(instance)
    await instance.sql`update budget_link set token_seal = null, code_seal = null`
    await instance.sql`update budget_link set token_hash = ${sha256(budget.token)} where budget_id = ${budget.id}`
    expect((await instance.anonymous().post(`${budget.base}/verify`, { code: budget.code })).status).toBe(404)

    await upgrade()
    await aVerifiedPatient(instance, budget)

    const later = await aSentBudget(instance)
    await instance.sql`update budget_link set token_hash = ${sha256('made')}, token_seal = null where budget_id = ${later.id}`
    await upgrade()
    expect((await instance.anonymous().get('/api/v1/public/budgets/made')).status).toBe(404)
  })
})

async function upgrade(): Promise<void> {
  const { host } = instance.runtime
  const { ctx } = host.registry.get('budget')!
  await instance.runtime.host.db.transaction(async (tx) => {
    await sealLinks(
      {
        ...ctx,
        db: tx as never,
        from_version: '0.3.2',
        signal: new AbortController().signal,
        once: (_key, fn) => fn()
      },
      '0.3.2'
    )
  })
}

describe('an account of the clinic', () => {
  const cookieOf = (browser: { cookies: Map<string, { value: string }> }) =>
    [...browser.cookies].find(([name]) => name.startsWith('svc_session@'))![1].value
  const rowOf = async (id: string) => (await instance.sql`select * from core_user where id = ${id}`)[0]!

  test('a session that SQL inserted opens nothing', async () => {
    const user = await aUser(instance, { role: 'admin' })
    const secret = aToken()
    await instance.sql`insert into core_session (token_hash, user_id, clinic_id) values (${sha256(secret)}, ${user.id}, ${instance.clinic.id})`
    expect((await createCaller(instance.url, { bearer: secret }).get('/me')).status).toBe(401)
  })

  test('a session that SQL moved to another person or restored opens nothing', async () => {
    const [own, victim] = [await aUser(instance), await aUser(instance, { role: 'admin' })]
    const moved = createCaller(instance.url, { bearer: cookieOf(await signedIn(instance, own.email)) })
    await instance.sql`update core_session set user_id = ${victim.id} where user_id = ${own.id}`
    expect((await moved.get('/me')).status).toBe(401)

    const browser = await signedIn(instance, victim.email)
    const value = cookieOf(browser)
    await browser.post('/api/v1/auth/logout')
    await instance.sql`update core_session set revoked_at = null where user_id = ${victim.id}`
    expect((await createCaller(instance.url, { bearer: value }).get('/me')).status).toBe(401)
  })

  test('an API token that SQL made, copied or restored opens nothing, and the doctor reports it', async () => {
    const { host } = instance.runtime
    const own = await createToken(host, { scope: 'metrics' })
    const made = `svct_${aToken()}`
    await instance.sql`insert into core_token (scope, token_hash) values ('admin', ${sha256(made)})`
    await instance.sql`update core_token set scope = 'admin' where id = ${own.id}`
    for (const bearer of [made, own.token])
      expect((await createCaller(instance.url, { bearer }).get('/api/v1/modules')).status).toBe(401)

    const ended = await createToken(host, { scope: 'admin' })
    await revokeToken(host, ended.id)
    await instance.sql`update core_token set revoked_at = null where id = ${ended.id}`
    expect((await createCaller(instance.url, { bearer: ended.token }).get('/api/v1/modules')).status).toBe(401)
    expect(await findings('token_changed')).toContain(`token ${own.id}`)
    await instance.sql`delete from core_token`
  })

  test('a password\'s hash that SQL copied from another account opens nothing, and the doctor reports it', async () => {
    const [own, victim] = [await aUser(instance), await aUser(instance)]
    const { password_hash, seal } = await rowOf(own.id)
    await instance.sql`update core_user set password_hash = ${password_hash}, seal = ${seal} where id = ${victim.id}`
    expect((await instance.anonymous().post(LOGIN, { email: victim.email, password: PASSWORD })).status).toBe(401)
    expect(await findings('user_changed')).toContain(`user ${victim.id}`)
  })

  test('rights over the instance that SQL gave are refused, and the doctor reports them', async () => {
    const user = await aUser(instance)
    const browser = await signedIn(instance, user.email)
    await instance.sql`update core_user set instance_admin = true where id = ${user.id}`
    expect((await browser.get('/api/v1/modules')).status).toBe(401)
    expect((await instance.anonymous().post(LOGIN, { email: user.email, password: PASSWORD })).status).toBe(401)
    expect(await findings('user_changed')).toContain(`user ${user.id}`)
  })

  test('a role that SQL raised gives no rights, the doctor reports it, and a role set again is valid', async () => {
    const user = await aUser(instance)
    const browser = await signedIn(instance, user.email)
    await instance.sql`update core_membership set role = 'admin' where user_id = ${user.id}`
    expect((await browser.get('/api/v1/users')).status).toBe(401)
    expect((await instance.anonymous().post(LOGIN, { email: user.email, password: PASSWORD })).status).toBe(401)
    expect(await findings('membership_changed')).toContain(`membership of user ${user.id}`)

    const admin = await instance.as('admin')
    expect((await admin.patch(`/api/v1/users/${user.id}`, { active: true })).status).toBe(409)
    expect((await admin.patch(`/api/v1/users/${user.id}`, { role: 'receptionist' })).body.data).toMatchObject({
      role: 'receptionist',
      active: false
    })
    expect((await admin.patch(`/api/v1/users/${user.id}`, { active: true })).status).toBe(200)
    await signedIn(instance, user.email)
  })

  test('a membership that SQL made gives no rights', async () => {
    const user = await aUser(instance)
    const other = await instance.anotherClinic()
    await instance.sql`insert into core_membership (clinic_id, user_id, role) values (${other.id}, ${user.id}, 'admin')`
    const browser = await signedIn(instance, user.email)
    expect((await browser.post('/api/v1/auth/switch-clinic', { clinic_id: other.id })).status).toBe(404)
    expect((await browser.get('/me')).body.data.clinics).toHaveLength(1)
  })

  test('a consent that SQL wrote makes no one a member: a clinic still has to ask the person', async () => {
    const admin = await instance.as('admin')
    const elsewhere = await instance.anotherClinic()
    const holder = await aUser(instance, { clinic_id: elsewhere.id })
    const { id } = (
      await admin.post('/api/v1/users', { email: holder.email, first_name: 'Ana', last_name: 'Ruiz', role: 'dentist' })
    ).body.data
    await admin.patch(`/api/v1/users/${id}`, { active: false })
    await instance.sql`update core_membership set consented_at = now() where user_id = ${id} and clinic_id = ${instance.clinic.id}`
    expect(await findings('membership_changed')).toContain(`membership of user ${id}`)
    await admin.patch(`/api/v1/users/${id}`, { role: 'dentist', active: true })
    const browser = await signedIn(instance, holder.email)
    expect((await browser.get('/me')).body.data.clinics).toHaveLength(1)
    expect((await browser.get('/api/v1/auth/memberships')).body.data).toHaveLength(1)
  })

  test('an administrator that SQL made does not count: the last real one can\'t be removed', async () => {
    const clinic = await instance.anotherClinic()
    const last = await aUser(instance, { clinic_id: clinic.id, role: 'admin' })
    const forged = await aUser(instance, { clinic_id: clinic.id })
    await instance.sql`update core_membership set role = 'admin' where user_id = ${forged.id}`
    const change = await (await signedIn(instance, last.email)).patch(`/api/v1/users/${last.id}`, { role: 'dentist' })
    expect([change.status, change.body.code]).toEqual([409, 'last_admin'])
    expect((await deactivateAccount(instance.runtime.host, last.email)).without_admin).toHaveLength(1)
  })

  test('an account that the operator deactivated can\'t be activated by SQL', async () => {
    const user = await aUser(instance)
    await deactivateAccount(instance.runtime.host, user.email)
    await instance.sql`update core_user set deactivated_at = null where id = ${user.id}`
    expect((await instance.anonymous().post(LOGIN, { email: user.email, password: PASSWORD })).status).toBe(401)
    expect(await findings('user_changed')).toContain(`user ${user.id}`)
  })

  test('an email address that SQL changed gets no link for a new password until the operator corrects it', async () => {
    const user = await aUser(instance)
    const theirs = `attacker-${user.id}@elsewhere.test`
    await instance.sql`update core_user set email = ${theirs} where id = ${user.id}`
    await sendPasswordReset(instance.runtime.host, theirs)
    expect(await instance.sql`select from core_mailed_token where user_id = ${user.id}`).toHaveLength(0)

    await instance.sql`update core_user set email = ${user.email}, seal = null where id = ${user.id}`
    await createUser(
      instance.runtime.host,
      { email: user.email, clinic_id: instance.clinic.id, role: 'receptionist', password: PASSWORD },
      { by: 'operator' }
    )
    await signedIn(instance, user.email)
  })

  test('a link for a new password that SQL made, moved or extended is unknown', async () => {
    const [own, victim] = [await aUser(instance), await aUser(instance)]
    const reset = (token: string) =>
      instance.anonymous().post('/api/v1/auth/password-reset', { token, password: 'correct horse battery staple' })
    const made = aToken()
    await instance.sql`insert into core_mailed_token (token_hash, purpose, user_id, expires_at) values (${sha256(made)}, 'password_reset', ${victim.id}, now() + interval '1 hour')`
    const [moved, late] = [
      await issueMailedToken(instance.runtime.host, { purpose: 'password_reset', user_id: own.id }),
      await issueMailedToken(instance.runtime.host, { purpose: 'invitation', user_id: own.id })
    ]
    await instance.sql`update core_mailed_token set user_id = ${victim.id} where user_id = ${own.id} and purpose = 'password_reset'`
    await instance.sql`update core_mailed_token set expires_at = now() + interval '1 year' where user_id = ${own.id}`
    for (const token of [made, moved]) expect((await reset(token)).status).toBe(404)
    expect(
      (await instance.anonymous().post('/api/v1/auth/invitation', { token: late, password: 'correct horse battery staple' }))
        .status
    ).toBe(404)
  })

  test('an upgrade keeps what an earlier release stored: accounts, roles, sessions and tokens', async () => {
    const user = await aUser(instance)
    const secret = cookieOf(await signedIn(instance, user.email))
    const { id, token } = await createToken(instance.runtime.host, { scope: 'admin' })
    await instance.sql`update core_session set token_hash = ${sha256(secret)} where user_id = ${user.id}`
    await instance.sql`update core_token set token_hash = ${sha256(token)} where id = ${id}`
    for (const table of ['core_user', 'core_membership', 'core_session', 'core_token', 'core_mailed_token'])
      await instance.sql`update ${instance.sql(table)} set seal = null`
    await instance.sql`update core_membership set asked = false, consented_at = created_at` // earlier releases lack these
    await instance.sql`update core_user set deactivated_at = null`
    await instance.sql`update core_session set confirmed_at = null, confirmed_by = null, enrol_until = null`
    const { db, secrets } = instance.runtime.host
    await db.transaction(tx => sealEarlierRows(tx as never, secrets))
    expect((await createCaller(instance.url, { bearer: secret }).get('/me')).status).toBe(200)
    expect((await createCaller(instance.url, { bearer: token }).get('/api/v1/modules')).status).toBe(200)
    await signedIn(instance, user.email)
    expect(await checkSealedRows(db, { secrets })).toEqual([])
  })
})

async function findings(code: string): Promise<string[]> {
  const { db, secrets } = instance.runtime.host
  return (await checkSealedRows(db, { secrets })).filter(finding => finding.code === code).map(({ object }) => object)
}
