import { flushPromises } from '@vue/test-utils'
import { beforeEach, expect, test, vi } from 'vitest'
import { TreatmentList } from '#components'
import { answers, forgetSession, later, signIn } from '../support/api.ts'
import { draw, one, said, type } from '../support/screen.ts'

const NAMES = ['Check-up', 'Fluoride varnish', 'Zirconia crown']
const TREATMENTS = '/api/v1/catalog/treatments'
const aTreatment = (en: string, at: number, over = {}) => ({
  id: `0197c6a0-0000-7000-8000-00000000000${at}`,
  code: `T-${at}`,
  name: { en },
  description: {},
  category: null,
  unit_price: '0.00',
  vat: '0',
  active: false,
  counts: 'tooth',
  surfaces: null,
  external_ids: {},
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  ...over
})

/** The list of a clinic that has only treatments without a price, each at version 1. */
type Answering = Parameters<typeof answers>[2]
const accept: Answering = ({ body: { unit_price } }) =>
  ({ data: aTreatment(NAMES[0]!, 0, { unit_price, active: true }) })
async function theList(change: Answering = accept) {
  const rows = NAMES.map((name, at) => aTreatment(name, at))
  await signIn({ permissions: ['catalog.read', 'catalog.write'] })
  const asked = answers('GET', TREATMENTS, ({ query }) =>
    query.active === 'true' ? { data: [], total: 0 } : { data: rows, total: rows.length })
  answers('GET', '/api/v1/catalog/categories', { data: [] })
  for (const row of rows) answers('GET', `${TREATMENTS}/${row.id}`, { data: row, headers: { etag: '"1"' } })
  const changes = rows.map(row => answers('PATCH', `${TREATMENTS}/${row.id}`, change))
  await draw(TreatmentList, { route: '/catalog' })
  await vi.waitFor(() => expect(fields()).toHaveLength(3), 10_000)
  return { asked, changes, rows }
}
const fields = () => [...document.querySelectorAll<HTMLInputElement>('[data-price] input')]
async function press(key: string) {
  document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
  await flushPromises()
}

beforeEach(forgetSession)

test('a list with nothing but treatments without a price opens with them, and never says that nothing is here', async () => {
  const { asked } = await theList()
  expect(said()).toContain('3 treatments without a price')
  expect(said()).not.toContain('Nothing here yet')
  expect(asked.at(-1)!.query).toMatchObject({ priced: 'false', active: 'false' })
})

test('prices are typed one below the other: Enter saves and moves to the next, arrows only move', async () => {
  const { changes } = await theList()
  await type(fields()[0]!, '45')
  await press('Enter')
  expect(document.activeElement).toBe(fields()[1])
  await vi.waitFor(() => expect(said()).toContain('2 treatments without a price'), 10_000)
  expect(changes[0]).toMatchObject([{ body: { unit_price: '45.00', prices_include_tax: false }, headers: { 'if-match': '"1"' } }])
  expect(said(one('[role="status"].sr-only'))).toBe('Check-up: €45.00 saved')

  await press('ArrowDown')
  expect(document.activeElement).toBe(fields()[2])
  await press('ArrowUp')
  expect(document.activeElement).toBe(fields()[1])
  expect([changes[1], changes[2]]).toEqual([[], []])
})

test('what is not an amount stays in its field with the reason, and is not sent', async () => {
  const { changes } = await theList()
  await type(fields()[0]!, 'forty')
  await press('Enter')
  await vi.waitFor(() => expect(said()).toContain('EUR'), 10_000)
  expect(fields()[0]!.getAttribute('aria-invalid')).toBe('true')
  expect(changes[0]).toEqual([])
})

test('a change of someone else is shown, and Enter then saves over it', async () => {
  let attempts = 0
  const { changes, rows } = await theList(({ body }) =>
    ++attempts === 1 ? { status: 412, code: 'precondition_failed' } : { data: { ...rows[0]!, unit_price: body.unit_price, active: true } })
  await type(fields()[0]!, '45')
  answers('GET', `${TREATMENTS}/${rows[0]!.id}`, { data: { ...rows[0], unit_price: '30.00' }, headers: { etag: '"2"' } })
  await press('Enter')
  await vi.waitFor(() => expect(said()).toContain('its price is now €30.00'), 10_000)
  fields()[0]!.focus()
  await press('Enter')
  await vi.waitFor(() => expect(changes[0]).toHaveLength(2), 10_000)
  expect(changes[0]!.map(({ headers }) => headers['if-match'])).toEqual(['"1"', '"2"'])
})

test('a price that is changed again while the first one is saved is saved after it', async () => {
  const first = later()
  let attempts = 0
  const { changes, rows } = await theList(async ({ body }) => {
    if (++attempts === 1) await first.promise
    return { data: { ...rows[0]!, unit_price: body.unit_price, active: true }, headers: { etag: `"${attempts + 1}"` } }
  })
  await type(fields()[0]!, '45')
  await press('Enter')
  await type(fields()[0]!, '54')
  await press('Enter')
  first.resolve()
  await vi.waitFor(() => expect(changes[0]!.map(({ body }) => body.unit_price)).toEqual(['45.00', '54.00']), 10_000)
  expect(changes[0]![1]!.headers['if-match']).toBe('"2"')
})
