import { beforeEach, expect, test } from 'vitest'
import Audit from '~/pages/audit.vue'
import { answers, forgetSession, logIn } from './support/api.ts'
import { draw, said } from './support/screen.ts'

const ID = '0197c6a0-0000-7000-8000-00000000000a'
const row = (action: string, detail: object, target: object | null = null) => ({
  id: crypto.randomUUID(),
  at: '2026-11-01T10:00:00.000Z',
  actor: { type: 'user', id: ID, name: 'Ana Peñalver' },
  action,
  target,
  detail,
  address: null
})

beforeEach(async () => {
  forgetSession()
  await logIn({ permissions: ['clinic.manage'] })
})

async function drawn(...rows: object[]): Promise<string> {
  answers('GET', '/api/v1/audit', { data: rows, total: rows.length })
  await draw(Audit)
  await expect.poll(() => said()).toContain('Ana Peñalver')
  return said()
}

test('details of the log are words; what is not known stays as it is', async () => {
  const text = await drawn(
    row('sign_in', { way: 'switch' }),
    row('member_added', { role: 'dentist', asked: false }),
    row('denied', { code: 'permission_denied', permission: 'users.manage', more_left_out: true }),
    row('token_created', { name: 'none', scopes: ['budget.read'], lunch: 'noon' }),
    row('sign_in_failed', { code: 'a_new_code' }),
    row('person_erased', { name: { salt: 'abc', digest: 'def' } })
  )
  for (const [label, value] of [
    ['Method', 'Switched from another clinic'],
    ['Role', 'Dentist'],
    ['Must accept first', 'No'],
    ['Reason', 'No permission'],
    ['Permission', 'users.manage'],
    ['More were not recorded', 'Yes'],
    ['Name', 'none'],
    ['Permissions', 'budget.read'],
    ['lunch', 'noon'],
    ['Reason', 'a_new_code']
  ] as const) expect(text).toMatch(new RegExp(`${label}\\s*${value}`))
  expect(text).not.toContain('digest')
})

test('so is what a row concerns', async () => {
  const text = await drawn(
    row('export_read', { filters: [] }, { kind: 'list', id: '/api/v1/catalog/treatments/export.csv' }),
    row('import_run', { rows: 12 }, { kind: 'patients', id: ID }),
    row('import_run', { new: 3 }, { kind: 'lunches', id: null })
  )
  expect(text).toContain('List /api/v1/catalog/treatments/export.csv')
  expect(text).toMatch(/Patients\s*0197c6a0/)
  expect(text).toMatch(/Rows\s*12/)
  expect(text).toContain('lunches')
  expect(text).not.toContain('Filters')
})
