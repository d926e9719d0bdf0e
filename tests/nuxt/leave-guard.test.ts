import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { h, ref } from 'vue'
import { NuxtPage } from '#components'
import { useLeaveGuard, useRouter } from '#imports'
import { draw } from './support/screen.ts'

const dirty = ref(false)
const Writing = { setup() { useLeaveGuard(() => dirty.value); return () => h('p', 'A form') } }
const Elsewhere = { render: () => h('p', 'Another page') }
const meta = { layout: 'plain' } as const

/** The user answers the browser's question. */
function says(answer: boolean) {
  const confirm = vi.fn(() => answer)
  vi.stubGlobal('confirm', confirm)
  return confirm
}

const path = () => useRouter().currentRoute.value.path

beforeEach(async () => {
  dirty.value = false
  const router = useRouter()
  router.addRoute({ name: 'writing', path: '/writing/:id', component: Writing, meta })
  router.addRoute({ name: 'elsewhere', path: '/elsewhere', component: Elsewhere, meta })
  await draw({ render: () => h(NuxtPage) }, { route: '/writing/1' })
})
afterEach(async () => {
  dirty.value = false
  vi.unstubAllGlobals()
  await useRouter().replace('/')
})

test('a page without unsaved changes is left without a question', async () => {
  const asked = says(false)
  await useRouter().push('/elsewhere')
  expect([path(), asked.mock.calls.length]).toEqual(['/elsewhere', 0])
})

test('the page asks before unsaved changes are lost, and stays when the answer is no', async () => {
  dirty.value = true
  const asked = says(false)
  await useRouter().push('/elsewhere')
  expect([path(), asked.mock.calls]).toEqual(['/writing/1', [['You have unsaved changes. Leave anyway?']]])
})

test('the page is left with unsaved changes when the answer is yes', async () => {
  dirty.value = true
  const asked = says(true)
  await useRouter().push('/elsewhere')
  expect([path(), asked.mock.calls.length]).toEqual(['/elsewhere', 1])
})

test('the same page for another record counts as another page, and asks too', async () => {
  dirty.value = true
  const asked = says(false)
  await useRouter().push('/writing/2')
  expect([path(), asked.mock.calls.length]).toEqual(['/writing/1', 1])
})

test('a change of the query string is the same page, and asks nothing', async () => {
  dirty.value = true
  const asked = says(false)
  await useRouter().push('/writing/1?tab=notes')
  expect([useRouter().currentRoute.value.query.tab, asked.mock.calls.length]).toEqual(['notes', 0])
})

test('the browser asks before the window is closed with unsaved changes, and only then', () => {
  const close = () => {
    const event = new Event('beforeunload', { cancelable: true })
    window.dispatchEvent(event)
    return event.defaultPrevented
  }
  expect(close()).toBe(false)
  dirty.value = true
  expect(close()).toBe(true)
})
