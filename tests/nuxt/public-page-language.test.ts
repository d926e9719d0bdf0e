import { registerEndpoint } from '@nuxt/test-utils/runtime'
import { afterEach, expect, test } from 'vitest'
import type { RouteLocationNormalized } from 'vue-router'
import language from '../../app/middleware/language.global.ts'
import publicTexts from '../../app/plugins/public-texts.client.ts'
import { textsPath } from '../../app/utils/texts-path.ts'
import { useNuxtApp } from '#imports'

const TITLES = { en: 'Deposits', es: 'Depósitos' }
for (const [code, title] of Object.entries(TITLES))
  registerEndpoint(textsPath(code), () => ({ [code]: { deposits: { public: { title } } } }))

const languages = Object.getOwnPropertyDescriptor(Navigator.prototype, 'languages')!
afterEach(() => Object.defineProperty(Navigator.prototype, 'languages', languages))

/**
 * Opens a page that the server did not render, as a browser does: `definePageMeta({ layout: 'patient' })` and `ssr:
 * false`.
 */
async function open(query: Record<string, string>, ...spoken: string[]): Promise<string> {
  Object.defineProperty(Navigator.prototype, 'languages', { get: () => spoken, configurable: true })
  const nuxt = useNuxtApp()
  await nuxt.runWithContext(() => publicTexts(nuxt))
  nuxt.isHydrating = true
  const to = { path: '/deposits/x', meta: { layout: 'patient' }, query } as unknown as RouteLocationNormalized
  try {
    await nuxt.runWithContext(() => language(to, { ...to, query: {} }))
  } finally {
    nuxt.isHydrating = false
  }
  return nuxt.$i18n.t('deposits.public.title')
}

test('a public page that only the browser renders is in the reader\'s language before the first paint', async () => {
  expect(await open({}, 'es-AR', 'en')).toBe('Depósitos')
  expect(await open({ locale: 'en' }, 'es')).toBe('Deposits')
})

test('a reader of an unavailable language sees English texts, never the keys of the texts', async () => {
  expect(await open({}, 'ja', 'ko')).toBe('Deposits')
})
