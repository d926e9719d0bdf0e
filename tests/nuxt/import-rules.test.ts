import { beforeEach, expect, test } from 'vitest'
import { flushPromises } from '@vue/test-utils'
import type { Import } from '@svc/kit/import-schemas'
import { ImportResult, ImportRules } from '#components'
import { forgetSession, signIn } from './support/api.ts'
import { draw, one, said, type } from './support/screen.ts'

const labels = { first_name: 'First name', last_name: 'Last name', email: 'Email', phone: 'Phone' }
const none = { total: 0, first: [] }
const found = (more: Partial<Import> = {}): Import => ({
  id: '0197c6a0-0000-7000-8000-00000000000a',
  file_name: 'file.csv',
  columns: ['Nr', 'Patient', 'Mail'],
  mapping: { external_id: 'Nr', full_name: 'Patient', email: 'Mail' },
  options: {},
  form: {} as Import['form'],
  preview: [['7', 'Noether Emmy', 'emmy@x.example'], ['8', 'Germain, Sophie', '']],
  fields: [],
  several: {},
  optional: ['email', 'phone'],
  state: 'uploaded',
  progress: { done: 0, total: 2 },
  checks_before: null,
  counts: null,
  errors: [],
  lost: none,
  notes: none,
  renamed: none,
  reason: null,
  created_at: '2026-11-01T10:00:00.000Z',
  finished_at: null,
  ...more
})
/** Reads each cell with its label, as on a card. */
const rows = () => [...document.querySelectorAll('tbody tr')].map(row =>
  [...row.children].map(cell => cell.textContent!.trim()).join('|'))

beforeEach(async () => {
  forgetSession()
  await signIn({ permissions: ['clinical.write'] })
})

async function aRules(shown: Import) {
  const read: unknown[] = []
  const onRead = (options: unknown) => read.push(options)
  await draw(ImportRules, { props: { found: shown, mapping: shown.mapping, labels, reading: false, onRead } })
  return read
}

test('the first names of the file are shown split in the chosen order', async () => {
  const read = await aRules(found())
  expect(rows()).toEqual([
    'Column in the fileNoether Emmy|First nameNoether|Last nameEmmy',
    'Column in the fileGermain, Sophie|First nameSophie|Last nameGermain'
  ])
  ;[...document.querySelectorAll<HTMLElement>('[role="radio"]')][1]!.click()
  await flushPromises()
  expect(read).toEqual([{ name_order: 'last_first' }])
})

test('the names are split the other way round when the last name comes first', async () => {
  await aRules(found({ options: { name_order: 'last_first' } }))
  expect(rows()[0]).toBe('Column in the fileNoether Emmy|First nameEmmy|Last nameNoether')
})

test('the numbering system is required, and an invalid one is not sent', async () => {
  const read = await aRules(found())
  const system = one<HTMLInputElement>('input[maxlength="30"]')
  expect(system.value).toBe('import')
  await type(system, 'Old System')
  system.dispatchEvent(new Event('change'))
  expect(said()).toContain('Only lower-case letters')
  await type(system, 'gesden')
  system.dispatchEvent(new Event('change'))
  expect(read).toEqual([{ system: 'gesden' }])
})

test('the user can choose to skip the whole row for each column in the file', async () => {
  const read = await aRules(found())
  const boxes = document.querySelectorAll<HTMLElement>('[role="checkbox"]')
  expect(boxes).toHaveLength(1)
  boxes[0]!.click()
  await flushPromises()
  expect(read).toEqual([{ on_wrong: { email: 'leave_row_out' } }])
})

test('the page has no such choice without these columns', async () => {
  await aRules(found({ mapping: { first_name: 'Patient' } }))
  expect(said()).not.toContain('System the numbers come from')
  expect(document.querySelectorAll('[role="radio"], [role="checkbox"]')).toHaveLength(0)
})

test('other names and lost values are listed separately from rows with errors', async () => {
  const lost = { line: 4, column: 'Mail', message: 'Must be an email address.', value: 'emmy at x' }
  await draw(ImportResult, {
    props: {
      found: found({
        state: 'checked',
        counts: { new: 0, changed: 1, same: 0, wrong: 0 },
        renamed: { total: 1, first: [{ line: 2, from: 'Rosa Gil', to: 'Kevin Paz' }] },
        lost: { total: 1, first: [lost] }
      }),
      path: '/api/v1/clinical/imports',
      labels
    }
  })
  expect(said()).toContain('1 other name')
  expect(said()).toContain('1 value left out')
  expect(said()).toContain('Download errors (CSV)')
  expect(rows()).toEqual([
    'LineLine2|Name nowRosa Gil|Name after the importKevin Paz',
    'LineLine4|ColumnMail|Valueemmy at x|ProblemThis isn’t an email address.'
  ])
})
