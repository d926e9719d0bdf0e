import { afterAll, beforeAll, expect, test } from 'vitest'
import { aUser, LOGIN } from '../../support/accounts.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { PASSWORD } from '../../support/people.ts'

const SESSIONS = '/api/v1/auth/sessions'
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'
const SAFARI = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'

let instance: Instance
beforeAll(async () => {
  instance = await anInstance()
})
afterAll(() => instance.close())

async function signedIn(email: string, agent: string) {
  const browser = instance.anonymous()
  await browser.post(LOGIN, { email, password: PASSWORD }, { headers: { 'user-agent': agent } })
  return browser
}

test('the list has the browser, clinic, start and last use of each session, and marks the current one', async () => {
  const { email } = await aUser(instance)
  await signedIn(email, FIREFOX)
  const phone = await signedIn(email, SAFARI)
  const { body } = await phone.get(SESSIONS)
  expect(body.data).toEqual([
    {
      id: expect.any(String), browser: 'Safari · iPhone', clinic_name: 'Clínica Peñalver', current: true,
      since: expect.any(String), last_used_at: expect.any(String)
    },
    expect.objectContaining({ browser: 'Firefox · Windows', current: false })
  ])
})

test('a person can sign out one session or all others', async () => {
  const { email } = await aUser(instance)
  const [desk, phone, tablet] = [
    await signedIn(email, FIREFOX), await signedIn(email, SAFARI), await signedIn(email, 'curl/8.14.1')
  ]
  const { body } = await desk.get(SESSIONS)
  const { id } = body.data.find((row: { browser: string }) => row.browser === 'Safari · iPhone')
  expect((await desk.delete(`${SESSIONS}/${id}`)).status).toBe(204)
  expect((await phone.get('/me')).status).toBe(401)
  expect((await tablet.get('/me')).status).toBe(200)
  expect((await desk.delete(SESSIONS)).status).toBe(204)
  expect((await tablet.get('/me')).status).toBe(401)
  expect((await desk.get(SESSIONS)).body.data).toHaveLength(1)
})

test('another person\'s session is 404 and stays open', async () => {
  const own = await signedIn((await aUser(instance)).email, FIREFOX)
  const theirs = await signedIn((await aUser(instance)).email, SAFARI)
  const [{ id }] = (await theirs.get(SESSIONS)).body.data
  expect((await own.delete(`${SESSIONS}/${id}`)).status).toBe(404)
  expect((await theirs.get('/me')).status).toBe(200)
})
