import { flushPromises } from '@vue/test-utils'
import { beforeEach, expect, test, vi } from 'vitest'
import { computed, h, provide, reactive } from 'vue'
import { EditorLines } from '#components'
import { LINE_PRICES } from '#imports'
import { answers, forgetSession, signIn } from '../support/api.ts'
import { draw, one, press, said, type } from '../support/screen.ts'

type Lines = InstanceType<typeof EditorLines>['$props']['modelValue']
interface Fields { surfaces?: number | null, counts?: 'tooth' | 'piece' | 'once' }

let treatments = 0
const aTreatment = (en: string, { surfaces = null, counts = 'tooth' }: Fields = {}) => ({
  id: `0197c6a0-0000-7000-8000-${String(++treatments).padStart(12, '0')}`,
  code: `T-${treatments}`,
  name: { en },
  description: {},
  category: null,
  unit_price: '100.00',
  vat: '0',
  active: true,
  counts,
  surfaces,
  external_ids: {},
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z'
})

/** The editor's list of lines over a catalog that finds words anywhere in names, and leaves the ranking to the page. */
async function anEditor(...catalog: ReturnType<typeof aTreatment>[]) {
  await signIn({ permissions: ['catalog.read', 'budget.write'] })
  const asked = answers('GET', '/api/v1/catalog/treatments', ({ query }) => {
    const words = String(query.search ?? '').toLowerCase().split(' ')
    return { data: catalog.filter(({ name }) => words.every(word => name.en.toLowerCase().includes(word))) }
  })
  answers('GET', '/api/v1/catalog/sets', { data: [] })
  const form = reactive({ lines: [] as Lines, errors: {} as Record<string, string> })
  await draw({
    setup() {
      provide(LINE_PRICES, computed(() => []))
      return () => h(EditorLines, {
        'modelValue': form.lines,
        'onUpdate:modelValue': (lines: Lines) => { form.lines = lines },
        'choices': [],
        'errors': form.errors,
        'currency': 'EUR',
        'paths': form.lines.map((_, index) => `items.${index}`),
        'patientId': null
      })
    }
  })
  return { form, asked, names: () => form.lines.map(({ names }) => names.en) }
}
const picker = () => one<HTMLInputElement>('input[role="combobox"]')
const quantity = () => one<HTMLInputElement>(':is(input[data-field="quantity"], [data-field="quantity"] input)')
const status = () => [...document.querySelectorAll('[role="status"]')].map(said).join(' ')
async function enter(options: KeyboardEventInit = {}) {
  const focused = document.activeElement!
  focused.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...options }))
  await flushPromises()
}
/** Types into the search and presses Enter at once, before the results are there. */
async function typeAndEnter(text: string, options: KeyboardEventInit = {}) {
  await type(picker(), text)
  await enter(options)
  await vi.waitFor(() => expect(picker().value === '' || status().includes('Several results fit')).toBe(true), 10_000)
  await flushPromises()
}

beforeEach(forgetSession)

test('"crown 16" adds the plain crown, and "filling 26 MO" the filling with two surfaces', async () => {
  const fillings = [1, 2, 3].map(surfaces => aTreatment(`Composite filling (${surfaces})`, { surfaces }))
  const { form, asked, names } = await anEditor(aTreatment('Crown on implant'), aTreatment('Zirconia crown'), ...fillings)
  await typeAndEnter('crown 16')
  await typeAndEnter('filling 26 MO')
  expect(names()).toEqual(['Zirconia crown', 'Composite filling (2)'])
  expect(form.lines.map(({ teeth, surfaces }) => [teeth, surfaces])).toEqual([[['16'], ''], [['26'], 'MO']])
  expect(asked.map(({ query }) => query)).toContainEqual(
    expect.objectContaining({ search: 'filling', surfaces: '2', order: 'best' }))
})

test('Enter stops and asks when two results fit equally, and the next Enter adds the highlighted one', async () => {
  const { names } = await anEditor(aTreatment('Zirconia crown'), aTreatment('Ceramic crown'))
  await typeAndEnter('crown 16')
  expect(names()).toEqual([])
  expect(status()).toContain('Several results fit. Choose one with the arrow keys; Enter adds it.')
  expect(picker().getAttribute('aria-expanded')).toBe('true')
  expect(document.activeElement).toBe(picker())
  await enter()
  expect(names()).toEqual(['Zirconia crown'])
  expect(status()).not.toContain('Several results fit')
})

test('Enter in the empty search adds nothing', async () => {
  const { names } = await anEditor(aTreatment('Zirconia crown'))
  await typeAndEnter('zirconia')
  await new Promise(resolve => requestAnimationFrame(resolve))
  await enter()
  await enter()
  expect(names()).toEqual(['Zirconia crown'])
})

test('the focus stays in the search after Enter, and the line that was added is announced', async () => {
  const { names } = await anEditor(aTreatment('Zirconia crown'), aTreatment('Fibre post'))
  await typeAndEnter('zirconia 16')
  expect(document.activeElement).toBe(picker())
  expect(status()).toContain('Added: Zirconia crown.')
  await typeAndEnter('post 16')
  expect(names()).toEqual(['Zirconia crown', 'Fibre post'])
  expect(quantity().value).toBe('1')
})

test('Shift+Enter adds and goes to the quantity, also later from the empty search; Enter there goes back', async () => {
  await anEditor(aTreatment('Zirconia crown'))
  await typeAndEnter('zirconia 16', { shiftKey: true })
  expect(document.activeElement).toBe(quantity())
  await enter()
  expect(document.activeElement).toBe(picker())
  await enter({ shiftKey: true })
  expect(document.activeElement).toBe(quantity())
})

test('a quantity takes digits only', async () => {
  const { form } = await anEditor(aTreatment('Zirconia crown'))
  await typeAndEnter('zirconia')
  const letter = new InputEvent('beforeinput', { data: 'f', bubbles: true, cancelable: true })
  const digit = new InputEvent('beforeinput', { data: '٣', bubbles: true, cancelable: true })
  quantity().dispatchEvent(letter)
  quantity().dispatchEvent(digit)
  expect([letter.defaultPrevented, digit.defaultPrevented]).toEqual([true, false])
  await type(quantity(), '2 fi')
  expect(form.lines[0]!.quantity).toBe('2')
})

test('a crown counts each tooth and shows why, which can be undone; a bridge counts once', async () => {
  const { form } = await anEditor(aTreatment('Crown'), aTreatment('Bridge', { counts: 'once' }))
  await typeAndEnter('crown 15 a 17')
  expect([form.lines[0]!.quantity, status()]).toEqual(['3', expect.stringContaining('Quantity 3, for 3 teeth')])
  await press('Count once')
  expect([form.lines[0]!.quantity, one('[data-why]')]).toEqual(['1', null])
  await typeAndEnter('bridge 15-17')
  expect(form.lines[1]).toMatchObject({ quantity: '1', teeth: ['15', '16', '17'] })
  expect(one('[data-why]')).toBeNull()
})

test('errors of a line span its row, and each is at its field for assistive technology', async () => {
  const { form } = await anEditor(aTreatment('Zirconia crown'))
  await typeAndEnter('zirconia')
  form.errors = { 'items.0.quantity': 'Enter a whole number from 1 to 999.' }
  await flushPromises()
  expect(said(one('li ul[aria-hidden]'))).toBe('Quantity Enter a whole number from 1 to 999.')
  const described = quantity().getAttribute('aria-describedby')!
  expect(said(document.getElementById(described)!)).toBe('Enter a whole number from 1 to 999.')
})
