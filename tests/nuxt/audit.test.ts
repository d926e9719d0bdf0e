import { beforeEach, expect, test } from 'vitest'
import Audit from '~/pages/audit.vue'
import { answers, forgetSession, signIn } from './support/api.ts'
import { draw, said } from './support/screen.ts'

const ID = '0197c6a0-0000-7000-8000-00000000000a'
const row = (action: string, detail: object, target: object | null = null, address: string | null = null) => ({
  id: crypto.randomUUID(),
  at: '2026-11-01T10:00:00.000Z',
  actor: { type: 'user', id: ID, name: 'Ana Peñalver' },
  action,
  target,
  detail,
  address
})

beforeEach(async () => {
  forgetSession()
  await signIn({ permissions: ['clinic.manage'] })
})

async function drawn(...rows: object[]): Promise<string> {
  answers('GET', '/api/v1/audit', { data: rows, total: rows.length })
  await draw(Audit)
  await expect.poll(() => said()).toContain('Ana Peñalver')
  return said()
}

test('the details of an entry are shown in words, and unknown details unchanged', async () => {
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
    ['Awaiting acceptance', 'No'],
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

test('a changed security setting is shown with its old and new value', async () => {
  const text = await drawn(row('settings_changed', {
    fields: ['reminders.days', 'retention.audit_months', 'second_factor'],
    changes: {
      'second_factor': { old: 'all', new: 'none' },
      'retention.audit_months': { old: null, new: 36 },
      'reminders.days': { old: [3], new: [4, 9] }
    }
  }))
  for (const shown of [/second_factor\s*all → none/, /retention\.audit_months\s*– → 36/, /reminders\.days\s*3 → 4, 9/])
    expect(text).toMatch(shown)
})

test('the target of an entry is shown in words', async () => {
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

const HASH = 'a3f1c0de'.repeat(8)
test.each([
  ['127.0.0.1', ['127.0.0.1']],
  ['2001:db8::8a2e:370:7334', ['2001:', 'db8::', '8a2e:', '370:', '7334']],
  ['::ffff:192.0.2.128', ['::', 'ffff:', '192.0.2.128']],
  [HASH, [HASH]]
])('an IP address can only wrap after a colon: %s', async (address, parts) => {
  expect(await drawn(row('sign_in', { way: 'password' }, null, address))).toContain(address)
  const shown = [...document.querySelectorAll('td bdi')].find(({ textContent }) => textContent === address)!
  expect([...shown.children].map(({ localName, textContent }) => textContent || localName)).toEqual(
    parts.flatMap((part, index) => index > 0 ? ['wbr', part] : [part])
  )
  const classes = new Set([...shown.querySelectorAll('span')].map(({ className }) => className))
  expect([...classes]).toEqual([address === HASH ? 'break-all' : 'whitespace-nowrap'])
})
