import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Answer, Caller } from '../../support/caller.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { GRANTED, ROLES, STAFF_ENDPOINTS } from '../../support/staff-endpoints.ts'
import { sealAgain } from '../../support/documents/seals.ts'

let instance: Instance
beforeAll(async () => { instance = await anInstance() })
afterAll(() => instance.close())

const NOWHERE = '00000000-0000-4000-8000-000000000000'

/** Calls with unknown ids and an empty body: an allowed call answers 404 or 422, and changes nothing. */
function call(caller: Caller, endpoint: string): Promise<Answer> {
  const [method, template] = endpoint.split(' ') as [string, string]
  const path = template.replace('{id}', NOWHERE).replace('{payment_id}', NOWHERE).replace('{name}', 'no-such-module')
  if (method === 'GET') return caller.get(path)
  if (method === 'DELETE') return caller.delete(path)
  return caller[method.toLowerCase() as 'post' | 'patch' | 'put'](path, {})
}

test('the matrix has every staff endpoint of the OpenAPI document, and the permission that it names', async () => {
  const { body } = await instance.anonymous().get('/api/v1/openapi.json')
  type Operation = { 'security': Record<string, unknown>[], 'x-permission'?: string }
  const staff = Object.entries(body.paths as Record<string, Record<string, Operation>>)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation }))
    )
    .filter(({ operation }) => operation.security.some(way => 'bearer' in way))
  const listed = Object.entries(STAFF_ENDPOINTS).flatMap(([permission, endpoints]) =>
    endpoints.map(endpoint => [endpoint, permission] as const)
  )

  expect(listed.map(([endpoint]) => endpoint).sort()).toEqual(staff.map(({ name }) => name).sort())
  const named = Object.fromEntries(listed)
  for (const { name, operation } of staff) {
    if (operation['x-permission']) expect([name, named[name]]).toEqual([name, operation['x-permission']])
  }
})

describe.each(ROLES)('%s', (role) => {
  test('has exactly the permissions of the role in /me, as concrete names', async () => {
    const { body } = await (await instance.as(role)).get('/me')
    expect(body.data.permissions).toEqual(
      Object.keys(GRANTED)
        .filter(permission => GRANTED[permission]!.includes(role))
        .sort()
    )
  })

  test.each(Object.keys(STAFF_ENDPOINTS).filter(permission => permission !== 'session'))(
    'may call exactly the allowed endpoints of %s',
    async (permission) => {
      const caller = await instance.as(role)
      for (const endpoint of STAFF_ENDPOINTS[permission]!) {
        const { status, body } = await call(caller, endpoint)
        if (GRANTED[permission]!.includes(role))
          expect([endpoint, [401, 403].includes(status), status < 500]).toEqual([endpoint, false, true])
        else
          expect([endpoint, status, body.code, body.detail]).toEqual([
            endpoint,
            403,
            'permission_denied',
            `Permission denied: ${permission}`
          ])
      }
    }
  )
})

test('without a session every staff endpoint answers 401', async () => {
  for (const endpoint of Object.values(STAFF_ENDPOINTS).flat()) {
    const { status } = await call(instance.anonymous(), endpoint)
    expect([endpoint, status]).toEqual([endpoint, 401])
  }
})

test('a revoked permission is missing with the next request', async () => {
  const clinic = await instance.anotherClinic()
  const caller = await instance.as('dentist', clinic)
  expect((await caller.get('/api/v1/reports/acceptance')).status).toBe(200)
  await instance.sql`update core_membership set role = 'assistant' where clinic_id = ${clinic.id}`
  await sealAgain(instance.sql, 'membership')
  const { status, body } = await caller.get('/api/v1/reports/acceptance')
  expect([status, body.detail]).toEqual([403, 'Permission denied: reports.read'])
})
