import { beforeEach, expect, test } from 'vitest'
import type { Import } from '@svc/kit/import-schemas'
import Reading from '~/components/import/Reading.vue'
import { forgetSession, signIn } from './support/api.ts'
import { draw, said } from './support/screen.ts'

const FORM: Import['form'] = {
  encoding: 'macintosh',
  other: null,
  other_lines: [],
  header_line: 4,
  passed_over: [1, 2, 9],
  samples: ['Ángel', 'Núñez Peña'],
  first_lines: [{ line: 1, text: 'Patientenliste' }, { line: 4, text: 'Nr · Vorname' }]
}
const shown = (form: Partial<Import['form']> = {}, options: Import['options'] = {}) =>
  draw(Reading, { props: { found: { form: { ...FORM, ...form }, options } as Import, reading: false } })
const chosen = () => [...document.querySelectorAll('[role="combobox"]')].map(field => field.textContent!.trim())

beforeEach(async () => {
  forgetSession()
  await signIn({ permissions: ['clinical.write'] })
})

test('the page shows the detected format, with letters to check and the lines that are skipped', async () => {
  await shown()
  expect(chosen()).toEqual(['Detected: Western European (Mac OS Roman)', 'Detected: Line 4: Nr · Vorname'])
  expect(said()).toContain('These must be legible: ÁngelNúñez Peña')
  expect(said()).toContain('Lines 1, 2, and 9 aren’t records and are skipped.')
})

test('the page shows the chosen format, including that the file has no column names', async () => {
  await shown({ header_line: 0, passed_over: [] }, { encoding: 'cp850', header_line: 0 })
  expect(chosen()).toEqual(['Western European (DOS 850)', 'No column names in the file'])
  expect(said()).not.toContain('skipped')
})

test('the page lists lines with another encoding', async () => {
  await shown({ encoding: 'utf-8', other: 'windows-1252', other_lines: [5] })
  expect(said()).toContain('Line 5 has another encoding. It was read as Western European (Windows-1252).')
})
