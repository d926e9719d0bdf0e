import { beforeEach, expect, test } from 'vitest'
import * as z from 'zod'
import { useApi, useConnection, useSession } from '#imports'
import { answers, aPerson, forgetSession, signIn } from './support/api.ts'
import { using } from './support/screen.ts'

beforeEach(forgetSession)

const api = () => using(useApi)

test('a response is returned without its envelope, with its other members and its version', async () => {
  answers('GET', '/api/v1/users', { data: [{ id: '7' }], total: 1, headers: { etag: '"3"' } })
  const { data, meta, etag } = await (
    await api()
  ).get('/api/v1/users', { answer: z.array(z.object({ id: z.string() })) })
  expect([data, meta, etag]).toEqual([[{ id: '7' }], { total: 1 }, '"3"'])
})

test('empty query values are not sent, and each value of a list is sent', async () => {
  const asked = answers('GET', '/api/v1/users', { data: [] })
  await (
    await api()
  ).get('/api/v1/users', { query: { search: '', page: 2, role: ['admin', 'dentist'], active: undefined } })
  expect(asked[0]!.query).toEqual({ page: '2', role: ['admin', 'dentist'] })
})

test('a refusal is an error with the problem\'s code and the module that was called', async () => {
  answers('POST', '/api/v1/users', { status: 409, code: 'user_exists', detail: 'There already.' })
  const refusal = await (await api()).post('/api/v1/users', { body: {} }).catch(error => error)
  expect([refusal.status, refusal.code, refusal.message, refusal.textKeys]).toEqual([
    409,
    'user_exists',
    'There already.',
    ['users.problem.user_exists', 'problem.user_exists']
  ])
})

test('a proxy that cannot reach the server counts as a lost connection until a response arrives', async () => {
  answers('GET', '/api/v1/users', { status: 502, headers: { 'content-type': 'text/html' } })
  const { get } = await api()
  const failure = await get('/api/v1/users').catch(error => error)
  expect([failure.code, useConnection().lost.value]).toEqual(['internal_error', true])
  answers('GET', '/api/v1/users', { data: [] })
  await get('/api/v1/users')
  expect(useConnection().lost.value).toBe(false)
})

test('a server with a temporary failure of its own does not count as a lost connection', async () => {
  answers('GET', '/api/v1/users', { status: 503, code: 'database_unavailable' })
  const failure = await (await api()).get('/api/v1/users').catch(error => error)
  expect([failure.code, useConnection().lost.value]).toEqual(['database_unavailable', false])
})

test('the permissions are loaded again after a request was refused because of a missing permission', async () => {
  await signIn({ permissions: ['users.manage'] })
  answers('GET', '/me', { data: aPerson({ permissions: [] }) })
  answers('DELETE', '/api/v1/users/7', { status: 403, code: 'permission_denied' })
  await (await api()).remove('/api/v1/users/7').catch(() => null)
  await expect.poll(() => useSession().can('users.manage')).toBe(false)
})

test('a page does not send requests after another person has signed in', async () => {
  await signIn()
  const asked = answers('POST', '/api/v1/budgets', { status: 201, data: {} })
  useSession().moved.value = aPerson({ user: { ...aPerson().user, first_name: 'Berta' } })
  const refusal = await (await api()).post('/api/v1/budgets', { body: {} }).catch(error => error)
  expect([refusal.code, asked.length]).toEqual(['session_moved', 0])
})
