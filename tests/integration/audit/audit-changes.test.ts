import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aUser, signedIn } from '../../support/accounts.ts'
import { aPatient, aSentBudget, aTreatment, BUDGETS } from '../../support/builders.ts'
import { createCaller, type Caller } from '../../support/caller.ts'
import { anInstance, type Instance } from '../../support/instance.ts'

const PATIENTS = '/api/v1/clinical/patients'
const TREATMENTS = '/api/v1/catalog/treatments'

let instance: Instance
let admin: Caller
let me: { id: string }
beforeAll(async () => {
  instance = await anInstance()
  admin = await instance.as('admin')
  me = (await admin.get('/me')).body.data.user
})
afterAll(() => instance.close())

const rowsOf = async (action: string) => (await admin.get(`/api/v1/audit?action=${action}&page_size=100`)).body.data
const newest = async (action: string) => (await rowsOf(action))[0]
const byMe = () => ({ type: 'user', id: me.id, name: 'Rosa admin' })

describe('settings that protect the clinic', () => {
  test('are logged with old and new values, while other settings and those of modules are logged by name', async () => {
    const before = (await admin.get('/api/v1/clinic')).body.data
    const change = {
      ip_policy: 'hashed',
      retention: { audit_months: 36 },
      reminders: { enabled: true, days: [4, 9] },
      phone: '+34 911 222 333'
    }
    expect((await admin.patch('/api/v1/clinic', change)).status).toBe(200)
    const [ofModule, row] = await rowsOf('settings_changed')
    expect(row.actor).toEqual(byMe())
    expect(row.detail.fields).toEqual(['ip_policy', 'phone', 'retention.audit_months'])
    expect(row.detail.changes).toEqual({
      'ip_policy': { old: before.ip_policy, new: 'hashed' },
      'retention.audit_months': { old: before.retention.audit_months, new: 36 }
    })
    expect(JSON.stringify(row)).not.toContain('911 222')
    expect([ofModule.actor, ofModule.detail])
      .toEqual([byMe(), { module: 'budget', fields: ['reminders.days', 'reminders.enabled'] }])
  })

  test('include the demand for a second factor, and its end', async () => {
    for (const [old, now] of [['none', 'all'], ['all', 'none']]) {
      expect((await admin.patch('/api/v1/clinic', { second_factor: now })).status).toBe(200)
      expect((await newest('settings_changed')).detail).toEqual({
        fields: ['second_factor'], changes: { second_factor: { old, new: now } }
      })
    }
  })

  test('are the only ones logged with values: a change of other settings has none', async () => {
    await admin.patch('/api/v1/clinic', { phone: '+34 911 222 334' })
    expect((await newest('settings_changed')).detail).toEqual({ fields: ['phone'] })
  })
})

describe('ending sessions', () => {
  test('leaves a row with the number of sessions, and no row when there was none', async () => {
    const user = await aUser(instance)
    const [here, there] = [await signedIn(instance, user.email), await signedIn(instance, user.email)]
    expect((await here.delete('/api/v1/auth/sessions')).status).toBe(204)
    expect(await newest('sessions_ended')).toMatchObject({
      actor: { type: 'user', id: user.id }, target: { kind: 'user', id: user.id }, detail: { count: 1 }, address: expect.any(String)
    })
    expect((await there.get('/me')).status).toBe(401)
    const { length } = await rowsOf('sessions_ended')
    await here.delete('/api/v1/auth/sessions')
    expect(await rowsOf('sessions_ended')).toHaveLength(length)
  })

  test('leaves a row for a single session too', async () => {
    const user = await aUser(instance)
    const [here] = [await signedIn(instance, user.email), await signedIn(instance, user.email)]
    const sessions = (await here.get('/api/v1/auth/sessions')).body.data as { id: string, current: boolean }[]
    await here.delete(`/api/v1/auth/sessions/${sessions.find(({ current }) => !current)!.id}`)
    expect(await newest('sessions_ended')).toMatchObject({ actor: { id: user.id }, detail: { count: 1 } })
  })
})

describe('a changed record', () => {
  test('of a patient leaves a row with its fields and without values; a change without effect leaves no row', async () => {
    const { id } = await aPatient(admin)
    const change = { last_name: 'Nuevapersona', phone: '+34 600 111 222', first_name: 'Lucía' }
    await admin.patch(`${PATIENTS}/${id}`, change)
    const row = await newest('record_changed')
    expect(row).toMatchObject({
      actor: byMe(), target: { kind: 'person', id }, detail: { fields: ['last_name', 'phone'] }
    })
    expect(JSON.stringify(row)).not.toMatch(/Nuevapersona|600/)
    const { length } = await rowsOf('record_changed')
    await admin.patch(`${PATIENTS}/${id}`, change)
    expect(await rowsOf('record_changed')).toHaveLength(length)
    await admin.patch(`${PATIENTS}/${id}`, { external_ids: { pms: '4711' } })
    expect((await newest('record_changed')).detail).toEqual({ fields: ['external_ids'] })
  })

  test('of a treatment leaves a row with the changed price', async () => {
    const { id } = await aTreatment(admin)
    await admin.patch(`${TREATMENTS}/${id}`, { unit_price: '123.45', vat: '21' })
    const row = await newest('record_changed')
    expect(row).toMatchObject({ actor: byMe(), target: { kind: 'treatment', id }, detail: { fields: ['unit_price'] } })
    expect(JSON.stringify(row)).not.toMatch(/123[.,]?45/)
  })

  test('by a token leaves a row with the token\'s own id', async () => {
    const { body } = await admin.post('/api/v1/tokens', { name: 'PMS', scopes: ['clinical.write', 'catalog.write'] })
    const program = createCaller(instance.url, { bearer: body.data.token })
    const path = `${PATIENTS}/by-external-id/pms/17`
    expect((await program.put(path, { first_name: 'Ana', last_name: 'Ruiz' })).status).toBe(201)
    const { length } = await rowsOf('record_changed')
    expect((await program.put(path, { first_name: 'Ana', last_name: 'Gil' })).status).toBe(200)
    const rows = await rowsOf('record_changed')
    expect(rows).toHaveLength(length + 1)
    expect(rows[0]).toMatchObject({ actor: { type: 'token', id: body.data.id }, detail: { fields: ['last_name'] } })
  })
})

test('a test message leaves a row without the address', async () => {
  expect((await admin.post('/api/v1/clinic/mail/test')).status).toBe(200)
  const row = await newest('mail_tested')
  expect(row).toMatchObject({ actor: byMe(), target: { kind: 'user', id: me.id }, detail: { sent: true, via: 'file' } })
  expect(JSON.stringify(row)).not.toContain('@')
})

test('unlocking a link leaves one row', async () => {
  const { id, number, base } = await aSentBudget(instance)
  for (let count = 0; count < 5; count++) await instance.anonymous().post(`${base}/verify`, { code: '000000' })
  const unlock = () => admin.post(`${BUDGETS}/${id}/unlock-public`, { reason: 'Lucía called.' })
  expect((await unlock()).status).toBe(200)
  const row = await newest('link_unlocked')
  expect(row).toMatchObject({ actor: byMe(), target: { kind: 'budget', id }, detail: { number, failed_attempts: 5 } })
  expect(JSON.stringify(row)).not.toContain('Lucía')
  await unlock()
  expect(await rowsOf('link_unlocked')).toHaveLength(1)
})
