import { flushPromises } from '@vue/test-utils'
import { beforeEach, describe, expect, test } from 'vitest'
import PatientsPage from '../../../layers/clinical/app/pages/patients/index.vue'
import { answers, forgetSession, signIn } from '../support/api.ts'
import { draw, one, press, said } from '../support/screen.ts'

const aRow = (n: number) => ({
  id: `0197c6a0-0000-7000-8000-00000000000${n}`,
  first_name: `Ana ${n}`,
  last_name: 'Sol',
  email: null,
  phone: null,
  date_of_birth: null,
  locale: 'es',
  tax_number: null,
  address: null,
  notes: null,
  external_ids: {},
  erased_at: null,
  created_at: '2026-01-02T10:00:00.000Z',
  updated_at: '2026-01-02T10:00:00.000Z'
})

beforeEach(async () => {
  forgetSession()
  localStorage.clear()
  await signIn({ permissions: ['clinical.read', 'clinical.write'] })
})

async function drawPatients() {
  answers('GET', '/api/v1/clinical/patients', { data: [aRow(1), aRow(2), aRow(3)], total: 143 })
  await draw(PatientsPage, { route: '/patients' })
  await expect.poll(() => said()).toContain('Ana 1')
}

test('the number of entries is in the tab', async () => {
  await drawPatients()
  expect(said(one('nav a[aria-current="page"]'))).toMatch(/^Patients\s*143$/)
})

describe('the keyboard in a list', () => {
  const focused = () => document.activeElement as HTMLElement
  function key(name: string) {
    const event = new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true })
    focused().dispatchEvent(event)
    return said(focused())
  }

  test('moves from the search field to the first row, between the rows by arrows, and back', async () => {
    await drawPatients()
    one('[role="search"] input').focus()
    expect(key('ArrowDown')).toBe('Sol, Ana 1')
    expect(key('ArrowDown')).toBe('Sol, Ana 2')
    expect(key('End')).toBe('Sol, Ana 3')
    expect(key('ArrowDown')).toBe('Sol, Ana 3')
    expect(key('Home')).toBe('Sol, Ana 1')
    key('ArrowUp')
    expect(focused().localName).toBe('input')
  })

  test('leaves the arrows to other controls', async () => {
    await drawPatients()
    one<HTMLButtonElement>('main button').focus()
    const before = focused()
    key('ArrowDown')
    expect(focused()).toBe(before)
  })
})

describe('the columns of a list', () => {
  const heads = () => [...document.querySelectorAll('th')].map(said)
  async function choose(label: string) {
    if (!document.querySelector('[role="menu"]')) await press('Columns')
    const item = [...document.querySelectorAll<HTMLElement>('[role^="menuitem"]')].find(one => said(one) === label)!
    item.click()
    await flushPromises()
  }

  test('can be hidden and shown, and the browser remembers it', async () => {
    await drawPatients()
    expect(heads()).toContain('Phone')
    await choose('Phone')
    expect(heads()).not.toContain('Phone')
    await drawPatients()
    expect(heads()).not.toContain('Phone')
    await choose('Reset columns')
    expect(heads()).toContain('Phone')
  })
})
