import { TOTP, Secret } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkSealedRows } from '../../../server/core/people/seals/sealed-rows-advice.ts'
import { anAuthenticator, aUser, LOGIN, signedIn, type Authenticator } from '../../support/accounts.ts'
import { createCaller, type Caller } from '../../support/caller.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { aMailbox, type Mailbox } from '../../support/outside/mailbox.ts'
import { PASSWORD } from '../../support/people.ts'

const FACTOR = '/api/v1/auth/factor'
const FACTORS = '/api/v1/auth/factors'

let instance: Instance
let mailbox: Mailbox
beforeAll(async () => {
  mailbox = await aMailbox()
  instance = await anInstance({ env: { SVC_SMTP_URL: mailbox.url } })
})
afterAll(async () => {
  await instance.close()
  await mailbox.close()
})

interface Protected { id: string, email: string, browser: Caller, app: Authenticator, recovery_codes: string[] }

/** A signed-in member with an authenticator app. */
async function aProtectedUser(): Promise<Protected> {
  const user = await aUser(instance)
  const browser = await signedIn(instance, user.email)
  return { ...user, browser, ...(await anAuthenticator(browser)) }
}

/** A new browser in which the password was entered. */
async function withTicket({ email }: Pick<Protected, 'email'>) {
  const browser = instance.anonymous()
  const { status, body } = await browser.post(LOGIN, { email, password: PASSWORD })
  expect({ status, factor: body.data.factor }).toEqual({ status: 200, factor: 'totp' })
  const { ticket } = body.data as { ticket: string }
  return { browser, ticket, send: (code: string) => browser.post(FACTOR, { ticket, code }) }
}

describe('an authenticator app', () => {
  test('is added with a secret, an otpauth address and a first code, and comes with ten recovery codes', async () => {
    const browser = await signedIn(instance, (await aUser(instance)).email)
    const { body: { data } } = await browser.post(`${FACTORS}/totp`)
    expect(data.otpauth_url).toMatch(/^otpauth:\/\/totp\//)
    expect(data.otpauth_url).toContain(`secret=${data.secret}`)
    expect((await browser.get(FACTORS)).body).toEqual({ data: [], recovery_codes_left: 0 })

    const wrong = await browser.post(`${FACTORS}/totp/confirm`, { code: '000000' })
    expect({ status: wrong.status, code: wrong.body.code }).toEqual({ status: 403, code: 'wrong_code' })
    const code = new TOTP({ secret: Secret.fromBase32(data.secret) }).generate()
    const { body } = await browser.post(`${FACTORS}/totp/confirm`, { code })
    expect(new Set(body.data.recovery_codes).size).toBe(10)
    const { body: listed } = await browser.get(FACTORS)
    expect(listed).toMatchObject({ data: [{ kind: 'totp' }], recovery_codes_left: 10 })
    expect(JSON.stringify(listed)).not.toContain(data.secret)
  })

  test('is required after the password: the ticket is not a session, and a code of the app opens one', async () => {
    const user = await aProtectedUser()
    const { browser, ticket, send } = await withTicket(user)
    expect((await browser.get('/me')).status).toBe(401)
    expect((await createCaller(instance.url, { bearer: ticket }).get('/me')).status).toBe(401)
    expect((await send(await user.app.next())).body.data).toMatchObject({ token_type: 'bearer' })
    expect((await browser.get('/me')).body.data.user.email).toBe(user.email)
  })

  test('cannot be added beside another one until that is removed', async () => {
    const { browser } = await aProtectedUser()
    expect((await browser.post(`${FACTORS}/totp`)).body.code).toBe('wrong_state')
  })

  test('is removed with the password once the app was shown, and then no code is required', async () => {
    const { browser, email } = await aProtectedUser()
    const [{ id }] = (await browser.get(FACTORS)).body.data
    const remove = (password: string) =>
      browser.delete(`${FACTORS}/${id}`, { raw: JSON.stringify({ password }) })
    expect((await remove('a wrong password')).body.code).toBe('wrong_password')
    expect((await remove(PASSWORD)).status).toBe(204)
    expect((await browser.get(FACTORS)).body).toEqual({ data: [], recovery_codes_left: 0 })
    await signedIn(instance, email)
  })

  test('of another person is 404', async () => {
    const [{ browser }, other] = [await aProtectedUser(), await aProtectedUser()]
    const [{ id }] = (await other.browser.get(FACTORS)).body.data
    expect((await browser.delete(`${FACTORS}/${id}`, { raw: JSON.stringify({ password: PASSWORD }) })).status).toBe(404)
  })
})

describe('a code', () => {
  test('of the app works once', async () => {
    const user = await aProtectedUser()
    const code = await user.app.next()
    expect((await (await withTicket(user)).send(code)).status).toBe(200)
    const again = await (await withTicket(user)).send(code)
    expect({ status: again.status, code: again.body.code }).toEqual({ status: 401, code: 'factor_wrong' })
  })

  test('that confirmed the app cannot sign in', async () => {
    const user = await aProtectedUser()
    expect((await (await withTicket(user)).send(user.app.confirmed)).status).toBe(401)
  })

  test('that is sent fifty times at once works once', async () => {
    const user = await aProtectedUser()
    const tickets = []
    for (let n = 0; n < 50; n++) tickets.push(await withTicket(user))
    const code = await user.app.next()
    const answers = await Promise.all(tickets.map(({ send }) => send(code)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.every(({ status }) => [200, 401, 429].includes(status))).toBe(true)
  }, 240_000)

  test('that is sent fifty times at once for one ticket opens one session', async () => {
    const user = await aProtectedUser()
    const { send } = await withTicket(user)
    const code = await user.app.next()
    const answers = await Promise.all(Array.from({ length: 50 }, () => send(code)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('for recovery works once, in any case and without its dash', async () => {
    const user = await aProtectedUser()
    const code = user.recovery_codes[3]!.replace('-', '').toUpperCase()
    expect((await (await withTicket(user)).send(code)).status).toBe(200)
    expect((await (await withTicket(user)).send(code)).status).toBe(401)
    expect((await user.browser.get(FACTORS)).body.recovery_codes_left).toBe(9)
  })

  test('for recovery stops working when new ones are generated', async () => {
    const user = await aProtectedUser()
    const { body } = await user.browser.post(`${FACTORS}/recovery-codes`, { password: PASSWORD })
    expect((await (await withTicket(user)).send(user.recovery_codes[0]!)).status).toBe(401)
    expect((await (await withTicket(user)).send(body.data.recovery_codes[0])).status).toBe(200)
  })
})

describe('a ticket', () => {
  test('ends with the fifth wrong code; wrong codes count as failed sign-ins of the account', async () => {
    const user = await aProtectedUser()
    const { send } = await withTicket(user)
    for (let n = 0; n < 5; n++) expect((await send('000000')).body.code).toBe('factor_wrong')
    const right = await send(await user.app.next())
    expect({ status: right.status, code: right.body.code }).toEqual({ status: 401, code: 'ticket_ended' })
    const next = await instance.anonymous().post(LOGIN, { email: user.email, password: PASSWORD })
    expect(next.status).toBe(429)
  })

  test('that was stolen does not work in another browser, even with the right code', async () => {
    const user = await aProtectedUser()
    const { ticket, send } = await withTicket(user)
    const code = await user.app.next()
    const thief = await instance.anonymous().post(FACTOR, { ticket, code })
    expect({ status: thief.status, code: thief.body.code }).toEqual({ status: 401, code: 'ticket_ended' })
    expect((await send(code)).status).toBe(200)
  })

  test('works once', async () => {
    const user = await aProtectedUser()
    const { send } = await withTicket(user)
    expect((await send(await user.app.next())).status).toBe(200)
    expect((await send(user.recovery_codes[0]!)).body.code).toBe('ticket_ended')
  })

  test('ends after ten minutes, and with a new password', async () => {
    const [late, changed] = [await aProtectedUser(), await aProtectedUser()]
    const first = await withTicket(late)
    await instance.sql`update core_sign_in_step set expires_at = now() where user_id = ${late.id}`
    expect((await first.send(await late.app.next())).body.code).toBe('ticket_ended')

    const second = await withTicket(changed)
    await changed.browser.post('/api/v1/auth/password', { current: PASSWORD, new: 'another password, quite long' })
    expect((await second.send(await changed.app.next())).body.code).toBe('ticket_ended')
  })

  test('of a program needs no cookie', async () => {
    const user = await aProtectedUser()
    const post = (path: string, body: unknown) =>
      fetch(new URL(path, instance.url), {
        method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' }
      })
    const answer = await (await post(LOGIN, { email: user.email, password: PASSWORD })).json()
    const { ticket } = (answer as { data: { ticket: string } }).data
    expect((await post(FACTOR, { ticket, code: await user.app.next() })).status).toBe(200)
  })
})

describe('someone who can write the database without the secret', () => {
  test('cannot add a factor that signs in, and a removed row is noticed', async () => {
    const [user, thief] = [await aProtectedUser(), await aProtectedUser()]
    await instance.sql`update core_factor set user_id = ${user.id} where user_id = ${thief.id}`
    expect((await (await withTicket(user)).send(await thief.app.next())).status).toBe(401)

    await instance.sql`delete from core_factor where user_id = ${user.id}`
    await instance.sql`delete from core_recovery_code where user_id = ${user.id}`
    const { body } = await instance.anonymous().post(LOGIN, { email: user.email, password: PASSWORD })
    expect(body.data).toHaveProperty('ticket')
    expect(await findings()).toContainEqual({ code: 'factor_changed', object: `user ${user.id}` })
  })

  test('cannot switch a second factor off in the account\'s row: the account becomes invalid', async () => {
    const user = await aProtectedUser()
    await instance.sql`update core_user set factors = null where id = ${user.id}`
    expect((await instance.anonymous().post(LOGIN, { email: user.email, password: PASSWORD })).status).toBe(401)
  })

  test('cannot create a ticket or a recovery code', async () => {
    const [user, thief] = [await aProtectedUser(), await aProtectedUser()]
    const stolen = await withTicket(thief)
    await instance.sql`update core_sign_in_step set user_id = ${user.id} where user_id = ${thief.id}`
    expect((await stolen.send(await user.app.next())).body.code).toBe('ticket_ended')
    await instance.sql`update core_recovery_code set user_id = ${user.id} where user_id = ${thief.id}`
    expect((await (await withTicket(user)).send(thief.recovery_codes[0]!)).status).toBe(401)
  })

  const findings = async () => {
    const { host } = instance.runtime
    return (await checkSealedRows(host.db, host)).map(({ code, object }) => ({ code, object }))
  }
})

test('stored rows contain neither the secret nor the recovery codes', async () => {
  const user = await aProtectedUser()
  const rows = JSON.stringify(await instance.sql`
    select to_jsonb(core_factor) as row from core_factor union all select to_jsonb(core_recovery_code) from core_recovery_code`)
  expect(rows).not.toContain(user.app.secret)
  for (const code of user.recovery_codes) expect(rows).not.toContain(code)
})

describe('the person gets a mail', () => {
  const subjectsTo = (email: string) => mailbox.letters.filter(({ to }) => to === email).map(({ subject }) => subject)
  const told = (email: string, subject: string) =>
    expect.poll(() => subjectsTo(email), { timeout: 20_000 }).toContain(subject)

  test('when a factor is added or removed, when recovery codes are new, and when the password changes', async () => {
    const { browser, email } = await aProtectedUser()
    await told(email, 'Se ha añadido un segundo factor')
    await browser.post(`${FACTORS}/recovery-codes`, { password: PASSWORD })
    await told(email, 'Sus códigos de recuperación se han renovado')
    const [{ id }] = (await browser.get(FACTORS)).body.data
    await browser.delete(`${FACTORS}/${id}`, { raw: JSON.stringify({ password: PASSWORD }) })
    await told(email, 'Se ha quitado un segundo factor')
    await browser.post('/api/v1/auth/password', { current: PASSWORD, new: 'another password, quite long' })
    await told(email, 'Su contraseña ha cambiado')
  })

  test('when a clinic changes or ends what they may do there', async () => {
    const { id, email } = await aUser(instance)
    const admin = await instance.as('admin')
    await admin.patch(`/api/v1/users/${id}`, { role: 'dentist' })
    await told(email, 'Su acceso a Clínica Peñalver ha cambiado')
    await admin.patch(`/api/v1/users/${id}`, { active: false })
    await told(email, 'Su acceso a Clínica Peñalver ha terminado')
  })

  test('at most ten times an hour', async () => {
    const { id, email } = await aUser(instance)
    const admin = await instance.as('admin')
    for (let n = 0; n < 12; n++) await admin.patch(`/api/v1/users/${id}`, { role: n % 2 ? 'receptionist' : 'dentist' })
    await expect.poll(() => subjectsTo(email).length, { timeout: 20_000 }).toBe(10)
  })
})
