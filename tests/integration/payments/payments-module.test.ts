import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listBackups } from '../../../server/core/modules/backup/backup.ts'
import { restoreBackup } from '../../../server/core/modules/backup/restore.ts'
import { eventually } from '../../support/builders.ts'
import type { Caller } from '../../support/caller.ts'
import type { Instance } from '../../support/instance.ts'
import { schedule } from '../../support/modules/packages.ts'
import { ROLES } from '../../support/staff-endpoints.ts'
import type { Role } from '../../support/people.ts'
import { aMollie } from '../../support/providers/mollie.ts'
import { aPayingInstance, choose, paymentCalls, REQUESTS, TRANSFER } from '../../support/providers/payments.ts'

const NOWHERE = '00000000-0000-4000-8000-000000000000'
const READERS: Role[] = ['admin', 'dentist', 'receptionist']
const WRITERS: Role[] = ['admin', 'receptionist']

/** Every endpoint of the staff, and the roles that may call it. */
const ENDPOINTS: [endpoint: string, permission: string, roles: Role[]][] = [
  ['GET /api/v1/payments/attention', 'payments.read', READERS],
  ['GET /api/v1/payments/requests', 'payments.read', READERS],
  ['GET /api/v1/payments/requests/{id}', 'payments.read', READERS],
  ['POST /api/v1/payments/requests', 'payments.write', WRITERS],
  ['POST /api/v1/payments/requests/{id}/attention/clear', 'payments.write', WRITERS],
  ['POST /api/v1/payments/requests/{id}/cancel', 'payments.write', WRITERS],
  ['POST /api/v1/payments/requests/{id}/mail', 'payments.write', WRITERS],
  ['POST /api/v1/payments/requests/{id}/paid', 'payments.write', WRITERS],
  ['POST /api/v1/payments/requests/{id}/refund', 'payments.write', WRITERS],
  ['POST /api/v1/payments/test', 'payments.write', WRITERS]
]
const BODIES: Record<string, object> = {
  cancel: { reason: 'No.' }, clear: { reasons: ['paid_twice'] }, paid: { method: 'cash' }, refund: { reason: 'No.' }
}
const call = (caller: Caller, endpoint: string, id: string) => {
  const [method, template] = endpoint.split(' ') as [string, string]
  const path = template.replace('{id}', id)
  return method === 'GET' ? caller.get(path) : caller.post(path, BODIES[path.split('/').at(-1)!] ?? {})
}

let instance: Instance
let staff: Caller
let calls: ReturnType<typeof paymentCalls>
let mollie: Awaited<ReturnType<typeof aMollie>>
beforeAll(async () => {
  instance = await aPayingInstance()
  staff = await instance.as('admin')
  calls = paymentCalls(instance, staff)
  mollie = await aMollie()
  mollie.reports('never')
})
afterAll(async () => {
  await instance?.close()
  await mollie?.close()
})

const moduleOf = () => instance.runtime.host.registry.get('payments')!
/** What the schedule does each minute. */
async function reconcile() {
  const { sql } = instance
  for (const table of ['payments_attempt', 'payments_refund'])
    await sql`update ${sql(table)} set next_check_at = now() - interval '1 second' where next_check_at is not null`
  const { definition: { jobs }, ctx } = moduleOf()
  await jobs!.reconcile!.run({}, ctx, { attempt: 1 })
}
/** An accepted budget whose patient is at the provider's page. */
async function atTheProvider() {
  const made = await calls.accepted()
  expect((await made.patient.get(made.pay)).status).toBe(303)
  const [{ id: attempt_id }] = (await calls.read(made.request.id)).attempts
  return { ...made, attempt_id: attempt_id as string }
}

describe('the endpoints', () => {
  test('are those of this matrix, with their permissions in the OpenAPI document', async () => {
    const { paths } = (await instance.anonymous().get('/api/v1/openapi.json')).body
    type Operation = { 'x-permission'?: string }
    const own = Object.entries(paths as Record<string, Record<string, Operation>>)
      .filter(([path]) => path.startsWith('/api/v1/payments/'))
      .flatMap(([path, methods]) => Object.entries(methods)
        .map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation['x-permission']]))
    expect(own.sort()).toEqual(ENDPOINTS.map(([endpoint, permission]) => [endpoint, permission]).sort())
  })

  test.each(ROLES)('answer %s by the role', async (role) => {
    const caller = await instance.as(role)
    for (const [endpoint, permission, roles] of ENDPOINTS) {
      const { status, body } = await call(caller, endpoint, NOWHERE)
      if (roles.includes(role)) expect([endpoint, status === 403, status < 500]).toEqual([endpoint, false, true])
      else expect([endpoint, status, body.detail]).toEqual([endpoint, 403, `Permission denied: ${permission}`])
    }
  })

  test('show another clinic nothing of a request, and change nothing', async () => {
    const { request } = await calls.accepted()
    const stranger = await instance.as('admin', await instance.anotherClinic())
    for (const [endpoint] of ENDPOINTS.filter(([name]) => name.includes('{id}')))
      expect([endpoint, (await call(stranger, endpoint, request.id)).status]).toEqual([endpoint, 404])
    expect((await stranger.get(REQUESTS)).body.data).toEqual([])
    expect((await calls.read(request.id)).state).toBe('open')
  })
})

describe('a patient’s data', () => {
  test('is exported with requests, attempts and refunds; an erasure ends what is open and removes words and links', async () => {
    const { request, budget } = await calls.accepted()
    const paid = await calls.accepted()
    await staff.post(`${REQUESTS}/${paid.request.id}/paid`, { method: 'transfer', reference: 'From Ana Ruiz' })
    await calls.recorded(paid.budget.id)
    await staff.post(`${REQUESTS}/${paid.request.id}/refund`, { amount: '1.00', reason: 'For Ana.' })
    const { definition: { hooks }, ctx } = moduleOf()
    for (const { patient: { id } } of [request, paid.request]) {
      const person = { clinic_id: instance.clinic.id, id, name: '' }
      const { records } = await hooks!.export!(ctx, person)
      expect(records['Payment requests'])
        .toEqual(expect.arrayContaining([expect.objectContaining({ amount: '36.30' })]))
      const { status, body } = await staff.post(`/api/v1/clinic/persons/${id}/erase`, { dry_run: false })
      expect([status, body.code]).toEqual([200, undefined])
    }
    const rows = await instance.sql`
      select request::text as row from payments_request request
      union all select attempt::text from payments_attempt attempt
      union all select refund::text from payments_refund refund`
    expect(rows.map(({ row }) => row).join('\n')).not.toMatch(/Ana/)
    expect(await instance.sql`select state, token_sealed from payments_request where id = ${request.id}`)
      .toMatchObject([{ state: 'cancelled', token_sealed: '' }])
    expect((await calls.read(paid.request.id)).state).toBe('paid')
    expect(budget.id).not.toBe(paid.budget.id)
  })
})

test('a refund that the provider still works on is in the books when it is done, and never if it is refused', async () => {
  await choose(staff, { ...TRANSFER, ...mollie.settings })
  mollie.refunds('pending')
  const { request, budget, attempt_id } = await atTheProvider()
  await mollie.decide(attempt_id, 'pay')
  await reconcile()
  await calls.recorded(budget.id)
  const asked = await staff.post(`${REQUESTS}/${request.id}/refund`, { amount: '10.00', reason: 'A gesture.' })
  expect(asked.body.data).toMatchObject({ refunded: '0.00', refunds: [{ state: 'pending' }] })
  expect((await calls.advancesOf(budget.id))[0].returned).toBe('0.00')
  mollie.find(attempt_id).refunds.at(-1)!.state = 'done'
  await reconcile()
  await eventually(async () => (await calls.advancesOf(budget.id))[0].returned === '10.00', 'the return')
  expect(await calls.read(request.id)).toMatchObject({ refunded: '10.00', refunds: [{ state: 'done' }] })

  await staff.post(`${REQUESTS}/${request.id}/refund`, { amount: '5.00', reason: 'More.' })
  mollie.find(attempt_id).refunds.at(-1)!.state = 'failed'
  await reconcile()
  await eventually(async () => (await calls.read(request.id)).attention.includes('refund_refused'), 'the attention')
  expect(await calls.read(request.id)).toMatchObject({
    refunded: '10.00', refunds: [{ state: 'done' }, { state: 'refused' }]
  })
  expect((await calls.advancesOf(budget.id))[0].returned).toBe('10.00')
})

test('uninstalled while patients pay, the instance is as before; restored, no row is lost and what was paid counts once', { timeout: 120_000 }, async () => {
  await choose(staff, { ...TRANSFER, ...mollie.settings })
  const open = await atTheProvider()
  const tables = ['payments_terms', 'payments_request', 'payments_attempt', 'payments_refund']
  const rows = async () => Promise.all(tables.map(async (table) => {
    const { sql } = instance
    const found = await sql`select to_jsonb(t) - 'next_check_at' - 'checks' - 'checked_at' as row from ${sql(table)} t order by 1`
    return found.map(({ row }) => row)
  }))
  const before = await rows()

  await schedule(instance, 'uninstall', 'payments')
  await instance.restart()
  await mollie.decide(open.attempt_id, 'pay') // while the module is gone
  expect((await staff.get(REQUESTS)).status).toBe(404)
  const { body } = await open.patient.get(open.budget.base)
  expect(body.data.sections ?? []).toEqual([])
  const report = `/api/v1/public/payments/webhooks/${instance.clinic.id}/mollie`
  expect((await instance.anonymous().post(report)).status).toBe(404)

  await schedule(instance, 'install', 'payments')
  await instance.restart()
  const backup = (await listBackups(instance.runtime.host.config)).find(({ module }) => module === 'payments')!
  await restoreBackup(instance.runtime.host, backup.file)
  expect(await rows()).toEqual(before)
  await reconcile()
  await calls.recorded(open.budget.id)
  expect(await calls.read(open.request.id)).toMatchObject({ state: 'paid', attention: [] })
  expect(mollie.charges(open.attempt_id)).toBe(1)
})
