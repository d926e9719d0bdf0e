import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createToken } from '../../../server/core/people/tokens/create-token.ts'
import { revokeToken } from '../../../server/core/people/tokens/revoke-token.ts'
import { aUser, LOGIN, signedIn } from '../../support/accounts.ts'
import { aPatient } from '../../support/builders.ts'
import type { Caller } from '../../support/caller.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { PASSWORD } from '../../support/people.ts'

let instance: Instance
let admin: Caller
let adminId: string
beforeAll(async () => {
  instance = await anInstance({ env: { SVC_WEBHOOK_ALLOW_PRIVATE: 'true' } })
  admin = await instance.as('admin')
  adminId = (await admin.get('/me')).body.data.user.id
})
afterAll(() => instance.close())

const list = async (query = '', caller = admin) => (await caller.get(`/api/v1/audit${query}`)).body
const newest = async (action: string) => (await list(`?action=${action}&page_size=1`)).data[0]
const byAdmin = () => ({ type: 'user', id: adminId, name: 'Rosa admin' })

describe('each action leaves a row', () => {
  test('sign_in is logged', async () => {
    const user = await aUser(instance)
    await signedIn(instance, user.email)
    expect(await newest('sign_in')).toEqual({
      id: expect.any(String),
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      actor: { type: 'user', id: user.id, name: 'Rosa Gil' },
      action: 'sign_in',
      target: { kind: 'user', id: user.id },
      detail: { way: 'password' },
      address: '127.0.0.1'
    })
  })

  test('sign_in_failed is logged only for known accounts, and without anything that was typed', async () => {
    const user = await aUser(instance)
    const before = (await list('?action=sign_in_failed')).total
    for (const email of [user.email, 'nobody@clinic.test'])
      expect((await instance.anonymous().post(LOGIN, { email, password: 'typed by mistake' })).status).toBe(401)
    const after = await list('?action=sign_in_failed')
    expect(after.total - before).toBe(1)
    expect(after.data[0]).toMatchObject({ actor: { id: user.id }, target: { kind: 'user', id: user.id } })
    const rows = JSON.stringify(await instance.sql`select * from core_audit`)
    expect(rows).not.toMatch(/typed by mistake|nobody@/)
  })

  test('sign_in_failed of a member of two clinics is logged in both', async () => {
    const other = await instance.anotherClinic()
    const user = await aUser(instance, { email: 'both@clinic.test' })
    await aUser(instance, { email: 'both@clinic.test', clinic_id: other.id })
    await instance.anonymous().post(LOGIN, { email: 'both@clinic.test', password: 'another password' })
    expect((await newest('sign_in_failed')).actor.id).toBe(user.id)
    expect((await list('?action=sign_in_failed', await instance.as('admin', other))).total).toBe(1)
  })

  test('password_changed is logged', async () => {
    const user = await aUser(instance)
    const person = await signedIn(instance, user.email)
    await person.post('/api/v1/auth/password', { current: PASSWORD, new: 'a new password for tests' })
    expect(await newest('password_changed')).toMatchObject({ actor: { id: user.id }, target: { id: user.id } })
  })

  test('member_added, member_changed and member_removed are logged', async () => {
    const added = await admin.post('/api/v1/users', {
      email: 'new@clinic.test', first_name: 'Nuria', last_name: 'Sol', role: 'dentist', password: PASSWORD
    })
    const { id } = added.body.data
    expect(await newest('member_added')).toMatchObject({
      actor: byAdmin(), target: { kind: 'user', id }, detail: { role: 'dentist', asked: false }
    })
    await admin.patch(`/api/v1/users/${id}`, { role: 'assistant' })
    expect(await newest('member_changed')).toMatchObject({
      actor: byAdmin(), target: { kind: 'user', id }, detail: { role: 'assistant', role_before: 'dentist' }
    })
    await admin.patch(`/api/v1/users/${id}`, { active: false })
    expect(await newest('member_removed')).toMatchObject({ actor: byAdmin(), target: { kind: 'user', id } })
  })

  test('settings_changed is logged with the names of the fields and none of their values', async () => {
    await admin.patch('/api/v1/clinic', { phone: '+34 911 222 333', retention: { audit_months: 36 } })
    const row = await newest('settings_changed')
    expect(row).toMatchObject({ actor: byAdmin(), detail: { fields: ['phone', 'retention.audit_months'] } })
    expect(JSON.stringify(row)).not.toContain('911 222')
    const { total } = await list('?action=settings_changed')
    await admin.patch('/api/v1/clinic', { phone: '+34 911 222 333' })
    expect((await list('?action=settings_changed')).total).toBe(total)
  })

  test('webhook_changed is logged', async () => {
    const url = 'http://127.0.0.1:9/in?secret=in-the-address'
    const { body: { data: { id } } } = await admin.post('/api/v1/webhooks', { url, events: ['*'] })
    await admin.patch(`/api/v1/webhooks/${id}`, { active: false })
    await admin.delete(`/api/v1/webhooks/${id}`)
    const { data } = await list('?action=webhook_changed')
    expect(data.map((row: { target: object, detail: object }) => [row.target, row.detail])).toEqual([
      [{ kind: 'webhook', id }, { change: 'deleted' }],
      [{ kind: 'webhook', id }, { change: 'changed', fields: ['active'] }],
      [{ kind: 'webhook', id }, { change: 'created' }]
    ])
    expect(JSON.stringify(data)).not.toContain('in-the-address')
  })

  test('person_exported and person_erased are logged without a name', async () => {
    const patient = await aPatient(admin, { first_name: 'Xochitl', last_name: 'Tlacael' })
    const target = { kind: 'person', id: patient.id }
    await admin.get(`/api/v1/clinic/persons/${patient.id}/export`)
    expect(await newest('person_exported')).toMatchObject({ actor: byAdmin(), target, detail: {} })
    const { total } = await list('?action=person_erased')
    await admin.post(`/api/v1/clinic/persons/${patient.id}/erase`, { dry_run: true })
    expect((await list('?action=person_erased')).total).toBe(total)
    await admin.post(`/api/v1/clinic/persons/${patient.id}/erase`, { dry_run: false })
    expect(await newest('person_erased')).toMatchObject({
      actor: byAdmin(), target, detail: { name: { salt: expect.any(String), digest: expect.any(String) } }
    })
    expect(JSON.stringify(await instance.sql`select * from core_audit`)).not.toMatch(/Xochitl|Tlacael/)
  })

  test('denied is logged when a member lacks the permission', async () => {
    const dentist = await instance.as('dentist')
    await dentist.post('/api/v1/users', {})
    const { id } = (await dentist.get('/me')).body.data.user
    expect(await newest('denied')).toMatchObject({
      actor: { type: 'user', id },
      target: { kind: 'endpoint', id: 'post /api/v1/users' },
      detail: { code: 'permission_denied', permission: 'users.manage' },
      address: '127.0.0.1'
    })
  })

  test('module_operation, token_created and token_revoked are logged in the instance\'s own log', async () => {
    const operator = await instance.asInstanceAdmin()
    const { host } = instance.runtime
    const { id } = await createToken(host, { scope: 'metrics', name: 'graphs' })
    await revokeToken(host, id)
    await operator.post('/api/v1/modules/billing/uninstall', { force: true })
    await operator.post('/api/v1/modules/billing/cancel', {})
    const { data } = (await operator.get('/api/v1/audit/instance?page_size=4')).body
    expect(data.map((row: { action: string, target: object }) => [row.action, row.target])).toEqual([
      ['module_operation', { kind: 'module', id: 'billing' }],
      ['module_operation', { kind: 'module', id: 'billing' }],
      ['token_revoked', { kind: 'token', id }],
      ['token_created', { kind: 'token', id }]
    ])
    expect(data[0].actor).toMatchObject({ type: 'token', id: expect.any(String) })
    expect(data[1].detail).toMatchObject({ operation: 'uninstall', status: 'scheduled', force: true })
    const started = (await operator.get('/api/v1/audit/instance?actor=system&action=module_operation')).body
    expect(started.data.map((row: { target: { id: string } }) => row.target.id).sort())
      .toEqual(['billing', 'budget', 'catalog', 'clinical', 'reports'])
    expect((await list('?action=module_operation')).total).toBe(0)
  })
})

describe('refusals', () => {
  test('of one member leave at most 100 rows an hour, and the last row marks the limit', async () => {
    const clinic = await instance.anotherClinic()
    const assistant = await instance.as('assistant', clinic)
    await Promise.all(Array.from({ length: 120 }, () => assistant.get('/api/v1/users')))
    const owner = await instance.as('admin', clinic)
    const { total, data } = await list('?action=denied', owner)
    expect(total).toBe(100)
    expect(data[0].detail.more_left_out).toBe(true)
  })

  test('of an anonymous caller leave no rows', async () => {
    const [{ n }] = await instance.sql`select count(*)::int as n from core_audit` as unknown as [{ n: number }]
    await instance.anonymous().get('/api/v1/audit')
    await instance.anonymous().post(LOGIN, { email: 'stranger@clinic.test', password: 'anything at all' })
    await list()
    expect((await instance.sql`select count(*)::int as n from core_audit`)[0]!.n).toBe(n)
  })
})

describe('the list', () => {
  test('is sorted newest first, paged, and filtered by action, actor and time', async () => {
    const all = await list('?page_size=5')
    expect(all).toMatchObject({ page: 1, page_size: 5, total: expect.any(Number) })
    expect(all.data).toHaveLength(5)
    const times = all.data.map((row: { at: string }) => row.at)
    expect(times).toEqual(times.toSorted().reverse())
    const second = await list('?page_size=5&page=2')
    expect(second.data[0].id).not.toBe(all.data[4].id)
    const two = await list('?action=sign_in&action=denied&page_size=100')
    expect([...new Set(two.data.map((row: { action: string }) => row.action))].sort()).toEqual(['denied', 'sign_in'])
    const own = await list(`?actor=${adminId}&page_size=100`)
    expect(own.data.every((row: { actor: { id: string } }) => row.actor.id === adminId)).toBe(true)
    const today = all.data[0].at.slice(0, 10)
    expect((await list('?from=2000-01-01&to=2000-12-31')).total).toBe(0)
    expect((await list(`?from=2000-01-01&to=${today}T23:59:59Z`)).total).toBe(all.total)
    expect((await list(`?from=${encodeURIComponent(all.data[0].at)}`)).data.map((row: { id: string }) => row.id))
      .toContain(all.data[0].id)
  })

  test.each([
    'from=2026-01-01T00:00:00%2B23:59', 'to=2026-01-01T00:00:00-16:00', 'from=1000-01-01T00:00:00%2B23:59',
    'to=2999-12-31T23:59:59.999-23:59'
  ])('accepts each offset, even one that the database refuses: %s', async (query) => {
    expect((await admin.get(`/api/v1/audit?${query}`)).status).toBe(200)
    const { status, bytes } = await admin.get(`/api/v1/audit/export.csv?${query}`)
    expect([status, bytes.toString().startsWith('\uFEFFat,action')]).toEqual([200, true])
  })

  test.each(['action=lunch', 'from=yesterday', 'actor=a%20b', 'limit=3', 'page_size=101'])('refuses %s', async (query) => {
    expect((await admin.get(`/api/v1/audit?${query}`)).status).toBe(422)
  })

  test('is exported as CSV with its filters, and the export leaves a row too', async () => {
    const { total } = await list('?action=sign_in')
    const { status, headers, bytes } = await admin.get('/api/v1/audit/export.csv?action=sign_in')
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
    const text = bytes.toString()
    expect(text.startsWith('\uFEFFat,action,actor_type')).toBe(true)
    expect(text.trimEnd().split('\r\n')).toHaveLength(total + 1)
    expect(await newest('export_read')).toMatchObject({ actor: byAdmin(), detail: { filters: ['action'] } })
  })

  test('shows a clinic its own rows only, and the instance\'s rows to its administrators', async () => {
    const other = await instance.as('admin', await instance.anotherClinic())
    const theirs = await list('?page_size=100', other)
    const ours = await list('?page_size=100')
    const ids = new Set(ours.data.map((row: { id: string }) => row.id))
    expect(theirs.data.filter((row: { id: string }) => ids.has(row.id))).toEqual([])
    expect((await admin.get('/api/v1/audit/instance')).status).toBe(403)
    expect((await (await instance.asInstanceAdmin()).get('/api/v1/audit')).status).toBe(403)
    for (const role of ['dentist', 'hygienist', 'assistant', 'receptionist'] as const)
      expect((await (await instance.as(role)).get('/api/v1/audit')).status).toBe(403)
  })
})
