import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { listBackups } from '../../../server/core/modules/backup/backup.ts'
import { restoreBackup } from '../../../server/core/modules/backup/restore.ts'
import { eventually } from '../../support/builders.ts'
import type { Caller } from '../../support/caller.ts'
import type { Instance } from '../../support/instance.ts'
import { schedule } from '../../support/modules/packages.ts'
import { aGateway, type Gateway } from '../../support/outside/sms-gateway.ts'
import type { Role } from '../../support/people.ts'
import {
  aMessage, aMobilePatient, anInstanceWithSms, rowOf, senderCtx, setSms, smsCtx, smsOf, useGateway
} from '../../support/sms.ts'

/** Everything that is written while the tests run. */
const written: string[] = []
let instance: Instance
let gateway: Gateway
let staff: Caller
beforeAll(async () => {
  for (const stream of [process.stderr, process.stdout]) {
    vi.spyOn(stream, 'write').mockImplementation((chunk: unknown) => {
      written.push(String(chunk))
      return true
    })
  }
  instance = await anInstanceWithSms({ LOG_LEVEL: 'debug', NODE_ENV: 'production' })
  gateway = await aGateway()
  staff = await instance.as('admin')
})
afterAll(async () => {
  await instance?.close()
  await gateway?.close()
  vi.restoreAllMocks()
})

const send = (message: ReturnType<typeof aMessage>) => senderCtx(instance).channels.send('sms', message)
const NOWHERE = '00000000-0000-4000-8000-000000000000'

/** Every endpoint of the staff, and the roles that may call it. */
const ENDPOINTS: [endpoint: string, permission: string, roles: Role[]][] = [
  ['GET /api/v1/sms/patients/{id}', 'sms.read', ['admin', 'dentist', 'receptionist']],
  ['POST /api/v1/sms/patients/{id}/turn-off', 'sms.write', ['admin', 'dentist', 'receptionist']],
  ['POST /api/v1/sms/patients/{id}/turn-on', 'sms.write', ['admin', 'dentist', 'receptionist']],
  ['GET /api/v1/sms/status', 'sms.manage', ['admin']],
  ['POST /api/v1/sms/test', 'sms.manage', ['admin']]
]
const call = (caller: Caller, endpoint: string, id: string, body: unknown = { channel: 'sms' }) => {
  const [method, template] = endpoint.split(' ') as [string, string]
  const path = template.replace('{id}', id)
  return method === 'GET' ? caller.get(path) : caller.post(path, body)
}

describe('the endpoints', () => {
  test('are those of this matrix, with their permissions in the OpenAPI document', async () => {
    const { paths } = (await instance.anonymous().get('/api/v1/openapi.json')).body
    type Operation = { 'security': Record<string, unknown>[], 'x-permission'?: string }
    const own = Object.entries(paths as Record<string, Record<string, Operation>>)
      .filter(([path]) => path.startsWith('/api/v1/sms/'))
      .flatMap(([path, methods]) => Object.entries(methods)
        .map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation['x-permission']]))
    expect(own.sort()).toEqual(ENDPOINTS.map(([endpoint, permission]) => [endpoint, permission]).sort())
    const open = Object.keys(paths).filter(path => path.startsWith('/api/v1/public/sms/'))
    expect(open.sort()).toEqual([
      '/api/v1/public/sms/gateway/{token}',
      '/api/v1/public/sms/twilio/{clinic_id}/answers',
      '/api/v1/public/sms/twilio/{clinic_id}/messages/{id}'
    ])
  })

  test.each(['admin', 'dentist', 'hygienist', 'assistant', 'receptionist'] as const)('answer %s by the role', async (role) => {
    const caller = await instance.as(role)
    for (const [endpoint, permission, roles] of ENDPOINTS) {
      const { status, body } = await call(caller, endpoint, NOWHERE)
      if (roles.includes(role)) expect([endpoint, status === 403, status < 500]).toEqual([endpoint, false, true])
      else expect([endpoint, status, body.detail]).toEqual([endpoint, 403, `Permission denied: ${permission}`])
    }
  })

  test('show another clinic nothing of a patient, and change nothing', async () => {
    const patient = await aMobilePatient(instance)
    const stranger = await instance.as('admin', await instance.anotherClinic())
    for (const [endpoint] of ENDPOINTS.filter(([name]) => name.includes('{id}')))
      expect([endpoint, (await call(stranger, endpoint, patient.id)).status]).toEqual([endpoint, 404])
    expect(await instance.sql`select from sms_stop where patient_id = ${patient.id}`).toHaveLength(0)
    const [ours, theirs] = [await staff.get('/api/v1/sms/status'), await stranger.get('/api/v1/sms/status')]
    expect(theirs.body.data.gateway_address).not.toBe(ours.body.data.gateway_address)
    expect(theirs.body.data.today).toEqual({ sent: 0, refused: 0, limit: 500 })
  })

  test('refuse a token for the secret address', async () => {
    const { body } = await staff.post('/api/v1/tokens', { name: 'Program', scopes: ['sms.manage'] })
    const response = await fetch(`${instance.url}/api/v1/sms/status`, { headers: { authorization: `Bearer ${body.data.token}` } })
    expect(response.status).toBe(403)
  })
})

describe('the staff', () => {
  test('turn a channel off and on for a patient, and each change is one row of the audit log', async () => {
    const patient = await aMobilePatient(instance)
    const path = `/api/v1/sms/patients/${patient.id}`
    for (const action of ['turn-off', 'turn-off', 'turn-on'])
      expect((await staff.post(`${path}/${action}`, { channel: 'sms' })).status).toBe(204)
    expect((await staff.get(path)).body.data.channels[0]).toMatchObject({ ready: true, stop: null, hidden_number: `•••${patient.number.slice(-2)}` })
    const rows = (await staff.get('/api/v1/audit')).body.data
      .filter(({ target }: { target: { id: string } | null }) => target?.id === patient.id)
      .map(({ action, detail }: { action: string, detail: { change: string } }) => [action, detail.change])
    expect(rows.slice(0, 2)).toEqual([['record_changed', 'on'], ['record_changed', 'off']])
  })

  test('read why a patient with a landline has no channel', async () => {
    const patient = await aMobilePatient(instance, { phone: '+34 91 123 45 67' })
    const path = `/api/v1/sms/patients/${patient.id}`
    expect((await staff.get(`${path}?locale=fr`)).body.data.channels[0]).toMatchObject({
      ready: false, hidden_number: null, reason: 'C’est une ligne fixe, qui ne reçoit pas de SMS. Ajoutez un numéro de mobile.'
    })
    expect((await staff.post(`${path}/turn-off`, { channel: 'sms' })).body.code).toBe('no_mobile_number')
  })

  test('test the settings: what is wrong has a code of its own', async () => {
    const result = async (body: object = {}) => (await staff.post('/api/v1/sms/test', { channel: 'sms', ...body })).body.data
    await setSms(instance, { provider: 'none' })
    expect(await result()).toMatchObject({ ok: true, code: 'file' })
    await setSms(instance, { provider: 'twilio' })
    expect(await result()).toMatchObject({ ok: false, code: 'incomplete', detail: 'twilio_incomplete' })
    await useGateway(instance, gateway)
    expect(await result()).toMatchObject({ ok: true, code: 'untested' })
    expect(await result({ to: '91 123 45 67' })).toMatchObject({ ok: false, code: 'bad_number', detail: 'landline' })
    expect(await result({ to: '600 112 233' })).toEqual({ ok: true, code: 'sent', detail: null, parts: 1 })
    gateway.state.answers = [401]
    expect(await result({ to: '600 112 233' })).toMatchObject({ ok: false, code: 'wrong_key', detail: '401' })
    await setSms(instance, { provider: 'http', http_url: 'http://127.0.0.1:1/send' })
    expect(await result({ to: '600 112 233' })).toMatchObject({ ok: false, code: 'unreachable' })
    await setSms(instance, { provider: 'none' })
  })

  test('see counts, parts and costs in the reports, and the metrics count by state', async () => {
    const patient = await aMobilePatient(instance)
    const message = aMessage(instance, patient, { text: 'x'.repeat(161), kind: 'reminder' })
    await send(message)
    await instance.sql`update sms_message set state = 'delivered', price = 123456, price_currency = 'EUR' where id = ${message.id}`
    const { sections } = (await staff.get('/api/v1/reports/sections?locale=en')).body.data
    const section = sections.find(({ module }: { module: string }) => module === 'sms')
    expect(section.title).toBe('Text messages')
    expect(section.facts).toContainEqual(['Cost', '€0.12 (messages with a price: 1)'])
    expect(section.table.rows).toContainEqual(['Text message (SMS)', 'Reminder', '1', '1', '0', '2'])
    const gauges = await smsOf(instance).definition.metrics!(smsCtx(instance))
    expect(gauges.find(({ labels }) => labels?.channel === 'sms' && labels.state === 'delivered')!.value).toBe(1)
  })
})

describe('a patient’s data', () => {
  test('is exported with messages and stops, and erased from both; the file of a message is removed', async () => {
    await setSms(instance, { provider: 'none' })
    const patient = await aMobilePatient(instance)
    const message = aMessage(instance, patient)
    await send(message)
    await staff.post(`/api/v1/sms/patients/${patient.id}/turn-off`, { channel: 'whatsapp' })
    const { definition: { hooks }, ctx } = smsOf(instance)
    const person = { clinic_id: instance.clinic.id, id: patient.id, name: '' }
    expect((await hooks!.export!(ctx, person)).records).toMatchObject({
      'Text messages': [{ channel: 'sms', kind: 'link', state: 'sent' }],
      'Channels turned off': [{ channel: 'whatsapp', cause: 'staff' }]
    })
    const file = join(instance.storage, 'outbox', `${message.id}.txt`)
    expect(existsSync(file)).toBe(true)
    const { status, body } = await staff.post(`/api/v1/clinic/persons/${patient.id}/erase`, { dry_run: false })
    expect([status, body.data.erased]).toEqual([200, expect.arrayContaining([
      expect.objectContaining({ what: 'text messages, without the patient', count: 1 }),
      expect.objectContaining({ what: 'channels turned off', count: 1 })
    ])])
    expect(await rowOf(instance, message.id)).toMatchObject({ patient_id: null, number_mac: null, ref: null, state: 'sent' })
    expect(await instance.sql`select from sms_stop where patient_id = ${patient.id}`).toHaveLength(0)
    await eventually(async () => !existsSync(file), 'the removal of the file')
  })

  test('leaves the stop of a number that another patient has too', async () => {
    const first = await aMobilePatient(instance)
    const second = await aMobilePatient(instance, { phone: first.number })
    await send(aMessage(instance, first))
    await send(aMessage(instance, { id: second.id, number: first.number }))
    await staff.post(`/api/v1/sms/patients/${first.id}/turn-off`, { channel: 'sms' })
    await staff.post(`/api/v1/clinic/persons/${first.id}/erase`, { dry_run: false })
    const stops = await instance.sql`select patient_id from sms_stop where patient_id in (${first.id}, ${second.id})`
    expect(stops.map(({ patient_id }) => patient_id)).toEqual([second.id])
  })
})

test('no phone number, code or key is in a log line, a metric or a row of the audit log', async () => {
  const patient = await aMobilePatient(instance, { phone: '+34 655 443 322' })
  await setSms(instance, {
    provider: 'http', http_url: `${gateway.url}/send?key={key}`, http_key: 'Zq7-gateway-secret', twilio_token: 'Zq7-token-of-twilio-secret'
  })
  const code = aMessage(instance, { ...patient, number: '+34655443322' }, { kind: 'code', text: '739154 is your code.' })
  gateway.state.answers = [500, 422]
  await expect(send(code)).rejects.toThrow()
  await expect(send(code)).rejects.toMatchObject({ code: 'undeliverable' })
  await send(aMessage(instance, { ...patient, number: '+34655443322' }, { kind: 'code', text: '739154 is your code.' }))
  const { gateway_address } = (await staff.get('/api/v1/sms/status')).body.data
  await fetch(gateway_address, {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ from: '34655443322', text: 'STOP' })
  })
  const metrics = await (await instance.asInstanceAdmin()).get('/metrics')
  const audit = await instance.sql`select to_jsonb(core_audit)::text as row from core_audit`
  const everything = [...written, metrics.bytes.toString(), ...audit.map(({ row }) => String(row))]
  expect(metrics.bytes.toString()).toContain('svc_sms_messages_last_day')
  expect(everything.join('\n')).toContain('channel.sent')
  const secrets = ['655443322', '655 443 322', '739154', 'Zq7-', gateway_address.split('/').at(-1)]
  for (const secret of secrets) expect([secret, everything.filter(text => text.includes(secret))]).toEqual([secret, []])
  const stored = await instance.sql`select to_jsonb(m)::text as row from sms_message m union all select to_jsonb(s)::text from sms_stop s`
  expect(stored.filter(({ row }) => row.includes('655443322'))).toEqual([])
  await setSms(instance, { provider: 'none' })
})

test('the demo has messages in each state that files can have, and running it twice adds nothing', async () => {
  const clinic = await instance.anotherClinic()
  await (await instance.as('admin', clinic)).patch('/api/v1/clinic', { country: 'ES' })
  for (let patients = 0; patients < 6; patients++) await aMobilePatient(instance, {}, clinic)
  const fill = () => smsOf(instance).definition.demo!(smsCtx(instance), { clinic_id: clinic.id, user_id: NOWHERE })
  const counts = async () => (await instance.sql`
    select state, count(*)::int as n from sms_message where clinic_id = ${clinic.id} group by 1 order by 1`)
    .map(row => ({ ...row }))
  await fill()
  const first = await counts()
  expect(first).toEqual([{ state: 'delivered', n: 4 }, { state: 'failed', n: 1 }])
  expect(await instance.sql`select from sms_stop where clinic_id = ${clinic.id}`).toHaveLength(1)
  await fill()
  expect(await counts()).toEqual(first)
  expect(readdirSync(join(instance.storage, 'outbox')).filter(name => name.endsWith('.txt')).length).toBeGreaterThanOrEqual(5)
  const text = readdirSync(join(instance.storage, 'outbox')).find(name => name.endsWith('.txt'))!
  expect(readFileSync(join(instance.storage, 'outbox', text), 'utf8')).toContain('Message-ID: <')
})

test('uninstalled, the instance has no such channel; installed again with its backup, no row is lost', { timeout: 120_000 }, async () => {
  const rows = () => instance.sql`select count(*)::int as n from sms_message`.then(([row]) => row!.n)
  const before = await rows()
  await schedule(instance, 'uninstall', 'sms')
  await instance.restart()
  expect((await staff.get('/api/v1/sms/status')).status).toBe(404)
  const { data } = (await staff.get('/api/v1/budget/channels')).body
  expect(data.map(({ name }: { name: string }) => name)).toEqual(['email', 'manual'])
  await schedule(instance, 'install', 'sms')
  await instance.restart()
  expect(await rows()).toBe(0)
  const backup = (await listBackups(instance.runtime.host.config)).find(({ module }) => module === 'sms')!
  await restoreBackup(instance.runtime.host, backup.file)
  expect(await rows()).toBe(before)
  expect((await staff.get('/api/v1/sms/status')).body.data.today.sent).toBeGreaterThan(0)
})
