import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aUser, LOGIN, mailedToken, signedIn } from '../../support/accounts.ts'
import type { Caller } from '../../support/caller.ts'
import { anInstance, type Instance } from '../../support/instance.ts'

let instance: Instance
beforeAll(async () => {
  instance = await anInstance()
})
afterAll(() => instance.close())

describe('a person with an account elsewhere', () => {
  const ASK = '/api/v1/auth/membership'
  async function aHolder() {
    const other = await instance.anotherClinic()
    const { email } = await aUser(instance, { clinic_id: other.id, first_name: 'Montserrat', last_name: 'Own' })
    return { email, browser: await signedIn(instance, email) }
  }
  const typed = (email: string) => ({ email, first_name: 'Ana', last_name: 'Ruiz', role: 'dentist' })
  const clinicsOf = async (browser: Caller) => (await browser.get('/me')).body.data.clinics.length

  test.each([{}, { password: 'chosen by the clinic' }])(
    'receives a request, and the clinic cannot distinguish their address from an unknown one: %o',
    async (way) => {
      const admin = await instance.as('admin')
      const { email, browser } = await aHolder()
      const [known, unknown] = [email, `new-${randomBytes(4).toString('hex')}@clinic.test`]
      const shape = ({ id, email, created_at, invitation, ...fields }: any) => ({
        ...fields,
        invitation: invitation && { ...invitation, url: invitation.url?.replace(/#[\w-]{43}$/, '#') }
      })
      const seen = []
      for (const address of [known, unknown]) {
        const {
          status,
          body: { data: added }
        } = await admin.post('/api/v1/users', { ...typed(address), ...way })
        const again = await admin.post(`/api/v1/users/${added.id}/invitation`)
        const listed = (await admin.get(`/api/v1/users?search=${address}`)).body.data[0]
        seen.push({ status, added: shape(added), again: shape({ invitation: again.body.data }), listed: shape(listed) })
      }
      expect(seen[0]).toEqual(seen[1])
      expect(seen[0]).toMatchObject({
        status: 201,
        added: { first_name: 'Ana', last_name: 'Ruiz', invited: true, active: true }
      })
      expect(await clinicsOf(browser)).toBe(1)
      expect((await instance.anonymous().post(LOGIN, { email, password: 'chosen by the clinic' })).status).toBe(401)
    }
  )

  test('agrees through a mailed link, which names the clinic and works once', async () => {
    const admin = await instance.as('admin')
    const { email, browser } = await aHolder()
    const { id } = (await admin.post('/api/v1/users', typed(email))).body.data
    const token = await mailedToken(instance, email)
    const asks = { clinic_id: instance.clinic.id, clinic_name: 'Clínica Peñalver', role: 'dentist' }
    expect((await instance.anonymous().post(ASK, { token })).body.data).toEqual(asks)
    expect(await clinicsOf(browser)).toBe(1)
    expect((await instance.anonymous().post(ASK, { token, accept: true })).body.data).toEqual(asks)
    expect(await clinicsOf(browser)).toBe(2)
    expect((await instance.anonymous().post(ASK, { token, accept: true })).body.code).toBe('mailed_token_not_found')
    expect((await admin.get(`/api/v1/users/${id}`)).body.data).toMatchObject({
      first_name: 'Montserrat',
      invited: false,
      active: true
    })
  })

  test('can decline, and is then absent from the clinic\'s list until the clinic asks again', async () => {
    const admin = await instance.as('admin')
    const { email, browser } = await aHolder()
    const { id } = (await admin.post('/api/v1/users', typed(email))).body.data
    const refusal = { token: await mailedToken(instance, email), accept: false }
    expect((await instance.anonymous().post(ASK, refusal)).status).toBe(200)
    expect((await admin.get(`/api/v1/users/${id}`)).status).toBe(404)
    expect((await admin.post('/api/v1/users', typed(email))).status).toBe(201)
    expect((await browser.get('/api/v1/auth/memberships')).body.data).toMatchObject([
      { clinic_id: instance.clinic.id, role: 'dentist' }
    ])
    expect((await browser.post(`/api/v1/auth/memberships/${instance.clinic.id}`, { accept: true })).status).toBe(200)
    expect([await clinicsOf(browser), (await browser.get('/api/v1/auth/memberships')).body.data]).toEqual([2, []])
    expect((await browser.post(`/api/v1/auth/memberships/${instance.clinic.id}`, { accept: true })).status).toBe(404)
  })

  test('cannot be made a member by the clinic, nor respond after the clinic withdrew its request', async () => {
    const admin = await instance.as('admin')
    const { email, browser } = await aHolder()
    const { id } = (await admin.post('/api/v1/users', typed(email))).body.data
    const token = await mailedToken(instance, email)
    await admin.patch(`/api/v1/users/${id}`, { active: false })
    expect((await instance.anonymous().post(ASK, { token, accept: true })).status).toBe(404)
    expect((await admin.patch(`/api/v1/users/${id}`, { active: true, role: 'admin' })).body.data.invited).toBe(true)
    expect(await clinicsOf(browser)).toBe(1)
    expect((await instance.anonymous().post(ASK, { token, accept: true })).body.data.role).toBe('admin')
    expect(await clinicsOf(browser)).toBe(2)
  })

  test('cannot accept a request of a clinic that SQL inserted', async () => {
    const { email, browser } = await aHolder()
    const { body: { data: { user } } } = await browser.get('/me')
    await instance.sql`insert into core_membership (clinic_id, user_id, role, active, asked) values (${instance.clinic.id}, ${user.id}, 'admin', false, true)`
    expect((await browser.get('/api/v1/auth/memberships')).body.data).toEqual([])
    expect((await browser.post(`/api/v1/auth/memberships/${instance.clinic.id}`, { accept: true })).status).toBe(404)
    expect((await (await signedIn(instance, email)).get('/me')).body.data.clinics).toHaveLength(1)
  })

  test('does not lose the account through a link that the clinic got to hand over', async () => {
    const { email } = await aHolder()
    const { invitation } = (await (await instance.as('admin')).post('/api/v1/users', typed(email))).body.data
    const answer = await instance
      .anonymous()
      .post('/api/v1/auth/invitation', { token: invitation.url.split('#')[1], password: 'known to the clinic' })
    expect([answer.status, answer.body.code]).toEqual([409, 'account_known'])
    await signedIn(instance, email)
  })
})
