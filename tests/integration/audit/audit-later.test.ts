import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aUser, LOGIN } from '../../support/accounts.ts'
import type { Caller } from '../../support/caller.ts'
import { anInstance, type Instance } from '../../support/instance.ts'

let instance: Instance
beforeAll(async () => { instance = await anInstance() })
afterAll(() => instance.close())

const list = async (query: string, caller: Caller) => (await caller.get(`/api/v1/audit${query}`)).body

/** Nothing is written to the clinic's log during `run`: refusals wait in the queue. */
const whileRowsWait = (clinic: { id: string }, work: () => Promise<unknown>) =>
  instance.sql.begin(async (sql) => {
    await sql`select 1 from core_audit_head where clinic_id = ${clinic.id}::uuid for update`
    await work()
  })

test('a member\'s refused requests do not displace failed sign-ins from the queue', async () => {
  const clinic = await instance.anotherClinic()
  const admin = await instance.as('admin', clinic)
  const assistant = await instance.as('assistant', clinic)
  const victim = await aUser(instance, { clinic_id: clinic.id })
  await whileRowsWait(clinic, async () => {
    for (let n = 0; n < 12; n++)
      await Promise.all(Array.from({ length: 50 }, () => assistant.get('/api/v1/users')))
    for (let n = 0; n < 5; n++) await instance.anonymous().post(LOGIN, { email: victim.email, password: 'a wrong guess' })
  })
  expect(await list(`?action=sign_in_failed&actor=${victim.id}`, admin)).toMatchObject({ total: 5 })
  const denied = await list('?action=denied', admin)
  expect(denied.total).toBe(100)
  expect(denied.data[0].detail.more_left_out).toBe(true)
})

test('refused requests that find no place in the queue are counted in one row', async () => {
  const clinic = await instance.anotherClinic()
  const { audit } = instance.runtime.host
  await whileRowsWait(clinic, async () => {
    for (let n = 0; n < 700; n++) {
      const actor = { type: 'user' as const, id: randomUUID() as string, name: null }
      audit.record({ action: 'denied', actor_id: actor.id, clinic_id: clinic.id }, async () =>
        [{ clinic_id: clinic.id, actor, action: 'denied' }])
    }
  })
  const { total, data } = await list('?action=denied', await instance.as('admin', clinic))
  expect(total).toBe(501)
  expect(data[0]).toMatchObject({ actor: { type: 'system' }, detail: { left_out: 200 } })
})
