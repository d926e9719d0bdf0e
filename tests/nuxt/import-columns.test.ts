import { beforeEach, expect, test } from 'vitest'
import type { Import } from '@svc/kit/import-schemas'
import { ImportColumns } from '#components'
import { forgetSession, signIn } from './support/api.ts'
import { draw, said } from './support/screen.ts'

const found = {
  columns: ['Vorname', 'الاسم'],
  preview: [['Uma', 'ليلى'], ['Ida', 'سامي']],
  fields: ['first_name', 'last_name'],
  several: {},
  optional: [],
  options: {},
  form: {
    encoding: 'utf-8', other: null, other_lines: [], header_line: 1, passed_over: [], samples: ['ليلى'], first_lines: []
  }
} as unknown as Import
const props = {
  found, mapping: {}, labels: {}, missing: [], advice: [], checking: true, checksBefore: null, reading: false
}
const status = () => said([...document.querySelectorAll('[role="status"]')].at(-1))

beforeEach(async () => {
  forgetSession()
  await signIn({ permissions: ['clinical.write'] })
})

test('a waiting check shows how many files come before it, and then that it runs', async () => {
  const { change } = await draw(ImportColumns, { props: { ...props, checksBefore: 2 } })
  expect(status()).toBe('Waiting: 2 files are checked before this one.')
  await change({ checksBefore: 1 })
  expect(status()).toBe('Waiting: 1 file is checked before this one.')
  await change({ checksBefore: null })
  expect(status()).toBe('Checking all rows…')
})
