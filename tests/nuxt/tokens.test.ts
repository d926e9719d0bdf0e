import { beforeEach, expect, test } from 'vitest'
import { flushPromises } from '@vue/test-utils'
import NewToken from '~/pages/tokens/new.vue'
import Tokens from '~/pages/tokens/index.vue'
import { aModule, answers, forgetSession, signIn } from './support/api.ts'
import { button, draw, one, press, said, type } from './support/screen.ts'

const ID = '0197c6a0-0000-7000-8000-00000000000a'
const TOKEN = {
  id: ID,
  name: 'Practice software',
  scopes: ['budget.read', 'clinic.manage'],
  created_at: '2026-11-01T10:00:00.000Z',
  created_by: { id: ID, name: 'Ana Peñalver' },
  expires_at: '2099-11-01T10:00:00.000Z',
  last_used_at: null
}
const budget = aModule('budget', [{ label: 'Budgets', to: '/budgets', permission: 'budget.read', order: 10 }])

beforeEach(async () => {
  forgetSession()
  await signIn({ permissions: ['budget.read', 'budget.write', 'clinic.manage', 'users.manage', 'modules.manage'] }, [budget])
})

test('permissions are chosen by part of the service, and managing users is not offered', async () => {
  await draw(NewToken)
  const groups = [...document.querySelectorAll('fieldset legend')].map(legend => legend.textContent!.trim())
  expect(groups).toEqual(['Budgets', 'Clinic settings'])
  expect(said()).not.toContain('users.manage')
})

test('a new token is shown once, and the request has the chosen permissions', async () => {
  const asked = answers('POST', '/api/v1/tokens', {
    status: 201,
    data: { ...TOKEN, scopes: ['budget.read'], token: 'svct_shown-once' }
  })
  await draw(NewToken)
  await press('Create token')
  expect(asked).toHaveLength(0)
  await type(one<HTMLInputElement>('input[name="name"]'), 'Practice software')
  one('[role="checkbox"]').click()
  await flushPromises()
  await press('Create token')
  await expect.poll(() => asked.map(({ body }) => body)).toEqual([{ name: 'Practice software', scopes: ['budget.read'] }])
  await expect.poll(() => one<HTMLInputElement>('input[readonly]')?.value).toBe('svct_shown-once')
})

test('the list shows permissions in words, last use and expiry, and asks before revoking', async () => {
  answers('GET', '/api/v1/tokens', { data: [TOKEN, { ...TOKEN, id: ID.replace(/a$/, 'b'), name: 'Old', expires_at: '2020-01-01T00:00:00.000Z' }] })
  const revoked = answers('DELETE', `/api/v1/tokens/${ID}`, { status: 204 })
  await draw(Tokens)
  await expect.poll(() => said()).toContain('Budgets: Read')
  expect(said()).toContain('Clinic settings: Manage')
  expect(said()).toContain('Never')
  expect(said()).toContain('Expired')
  button('Revoke Practice software').click()
  await expect.poll(() => said()).toContain('Revoke the token “Practice software”?')
  expect(revoked).toHaveLength(0)
  await press('Revoke')
  await expect.poll(() => revoked.length).toBe(1)
})
